/** Registers the extension's commands. Their code is loaded when the first of them runs, so that it doesn't delay the start. */
import * as vscode from 'vscode';
import { loadCode, once } from '../ui/loadCode';
import { registerCommand } from '../ui/registerCommand';
import { createReportDocuments } from './handler/reportDocuments';
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
  const load = once(async () => {
    // Not awaited: a command that needs the roots waits for them itself.
    void deps.rootsReady();
    const { createCommands } = await loadCode(() => import('./commandTable'), deps.log.error);
    return createCommands(deps, notifier, { reports, committed });
  });
  let table: Promise<CommandTable> | undefined;
  const commands = COMMAND_IDS.map((id) => registerCommand(id, async (...args: unknown[]) => (await (table = load())).run(id, args)));
  const links = vscode.window.registerUriHandler({
    handleUri: async (uri) => (await loadCode(() => import('./open/followLink'), deps.log.error)).followLink(deps, notifier, uri),
  });
  return vscode.Disposable.from(
    ...commands,
    {
      dispose: () =>
        void table?.then(
          (loaded) => loaded.dispose(),
          () => undefined,
        ),
    },
    reports,
    committed,
    links,
    deps.pendingChanges.onSettled((settled) => {
      loadCode(() => import('./changes/pendingCommands'), deps.log.error).then(
        ({ notifySettled }) => notifySettled(notifier, settled),
        () => undefined, // A message has said so.
      );
    }),
    deps.onStorageProblem((error) => notifier.error(error, undefined)),
    deps.onSettingProblem((error) => notifier.error(error, undefined)),
  );
}
