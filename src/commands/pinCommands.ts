/** Commands that pin sessions in the Sessions view, and take their pins away. */
import * as vscode from 'vscode';
import type { SessionRef } from '../contract';
import { refsAsArguments, refsOf } from './handler/commandArguments';
import type { CommandDeps } from './handler/commandDeps';
import type { CommandHandler } from './handler/commandHandler';

export function pinCommands(deps: CommandDeps) {
  const pin = async (refs: readonly SessionRef[], isPinned: boolean): Promise<void> => {
    const idOf = async (path: string): Promise<string> => deps.summary(path)?.id ?? (await deps.session(path)).header.id;
    await deps.pin(await Promise.all(refs.map(({ path }) => idOf(path))), isPinned);
  };
  const pinning = (title: string, isPinned: boolean): CommandHandler<undefined> => ({
    title,
    normalizeArguments: refsAsArguments,
    runWithArguments: async (args) => {
      await pin(refsOf(args), isPinned);
      return undefined;
    },
    runInteractive: async (call) => pin(await call.resolveRefs(), isPinned),
  });
  return {
    'sessionTree.pin': pinning(vscode.l10n.t('Pin'), true),
    'sessionTree.unpin': pinning(vscode.l10n.t('Unpin'), false),
  };
}
