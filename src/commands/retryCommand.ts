/** The command that reads a session file again that couldn't be read, although it hasn't changed. */
import * as vscode from 'vscode';
import type { CommandDeps } from './handler/commandDeps';
import { sessionRefOf } from './handler/commandArguments';
import type { CommandHandler } from './handler/commandHandler';

export function retryCommand(deps: CommandDeps) {
  const readAgain = async (paths: readonly string[]): Promise<undefined> => {
    const catalog = await deps.catalog.open();
    await catalog.forget(paths);
    await catalog.refresh(paths);
    return undefined;
  };
  const retry: CommandHandler<undefined> = {
    title: vscode.l10n.t('Retry'),
    runWithArguments: (args) => readAgain([sessionRefOf(args).path]),
    runInteractive: async (call) => {
      await readAgain((await call.resolveRefs()).map(({ path }) => path));
    },
  };
  return { 'sessionTree.retry': retry };
}
