/** Registers the extension's commands. Their code is loaded when the first of them runs, so that it doesn't delay the start. */
import * as vscode from 'vscode';
import { loadCode } from '../ui/loadCode';
import { registerCommand } from '../ui/registerCommand';
import { createReportDocuments } from './changes/reportDocuments';
import { COMMAND_IDS } from './commandIds';
import type { CommandTable } from './commandTable';
import type { CommandDeps } from './handler/commandDeps';
import { createNotifier } from './handler/notifications';
import { CommittedDocuments } from './lines/committedDocuments';

/** Registers all commands, and the handler of links to sessions. */
export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const notifier = createNotifier(deps.log);
  const reports = createReportDocuments();
  const committed = new CommittedDocuments();
  let loading: Promise<CommandTable> | undefined;
  const report = (reason: unknown): void => deps.log.error(reason, 'loading the code of commands');
  const load = (): Promise<CommandTable> =>
    (loading ??= loadCode(() => import('./commandTable'), report).then(
      ({ createCommands }) => createCommands(deps, notifier, { reports, committed }),
      (error: unknown) => {
        // The next command tries again.
        loading = undefined;
        throw error;
      },
    ));
  const commands = COMMAND_IDS.map((id) => registerCommand(id, async (...args: unknown[]) => (await load()).run(id, args)));
  const links = vscode.window.registerUriHandler({
    handleUri: async (uri) => (await loadCode(() => import('./open/followLink'), report)).followLink(deps, notifier, uri),
  });
  return vscode.Disposable.from(
    ...commands,
    { dispose: () => void loading?.then((table) => table.dispose()) },
    reports,
    committed,
    links,
    deps.pendingChanges.onSettled(
      (settled) => void import('./changes/pendingCommands').then(({ notifySettled }) => notifySettled(notifier, settled)),
    ),
    deps.onStorageProblem((error) => notifier.error(error, undefined)),
    deps.onSettingProblem((error) => notifier.error(error, undefined)),
  );
}
