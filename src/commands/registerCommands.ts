/** Registers the extension's commands. Their code is loaded when one of them runs, so that it doesn't delay the start. */
import * as vscode from 'vscode';
import { isRow } from '../contract';
import { loadCode, once } from '../ui/loadCode';
import { registerCommand } from '../ui/safe/registerCommand';
import { createReportDocuments } from './handler/reportDocuments';
import { COMMAND_IDS, RARE_COMMAND_IDS } from './commandIds';
import type { CommandDeps } from './handler/commandDeps';
import { createConfirmForce } from './handler/confirmForce';
import type { CommandTable } from './handler/handlerTable';
import { createNotifier } from './handler/notifications';
import { CommittedDocuments } from './lines/committedDocuments';
import { RestoreDocuments } from './restore/restoreDocuments';

/** Registers all commands, and the handler of links to sessions. */
export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const notifier = createNotifier(deps);
  const reports = createReportDocuments();
  const committed = new CommittedDocuments();
  const planned = new RestoreDocuments();
  const confirmForce = createConfirmForce(deps);
  const restoring = once(async () => {
    const { restoreFlow } = await loadCode(() => import('./restore/restoreFlow'), deps.log.error);
    return restoreFlow({ deps, confirmForce, reports, documents: planned });
  });
  const review = once(async () => {
    const { ReviewFeature } = await loadCode(() => import('./review/reviewFeature'), deps.log.error);
    return new ReviewFeature(deps, notifier);
  });
  let loadedReview: { readonly dispose: () => void } | undefined;
  const openReview = async (): Promise<Awaited<ReturnType<typeof review>>> => {
    const opened = await review();
    loadedReview = opened;
    return opened;
  };
  const tables: Promise<CommandTable>[] = [];
  const register = (ids: readonly string[], createTable: () => Promise<CommandTable>): vscode.Disposable[] => {
    const load = once(() => {
      // Not awaited: a command that needs the roots waits for them itself.
      void deps.rootsReady();
      const table = createTable();
      tables.push(table);
      return table;
    });
    const run = async (id: string, args: unknown[]): Promise<unknown> => {
      const table = await load();
      // A row from the previous window shows the session's former state; the command acts on its current state.
      if (isRow(args[0])) await deps.rowsCurrent();
      return table.run(id, args);
    };
    return ids.map((id) => registerCommand(id, (...args: unknown[]) => run(id, args)));
  };
  const commands = [
    ...register(COMMAND_IDS, async () => {
      const { createCommands } = await loadCode(() => import('./commandTable'), deps.log.error);
      return createCommands(deps, notifier, confirmForce, committed, restoring);
    }),
    ...register(RARE_COMMAND_IDS, async () => {
      const { createRareCommands } = await loadCode(() => import('./rareCommandTable'), deps.log.error);
      return createRareCommands(deps, notifier, confirmForce, reports, await restoring(), openReview);
    }),
  ];
  const links = vscode.window.registerUriHandler({
    handleUri: async (uri) => {
      const { followLink } = await loadCode(() => import('./open/followLink'), deps.log.error);
      await followLink(deps, notifier, uri, (ref) =>
        // Called as from a row, so that nothing is written before the person agrees.
        vscode.commands.executeCommand('sessionTree.restoreFiles', { row: ref.entryId === undefined ? 'session' : 'entry', ...ref }),
      );
    },
  });
  return vscode.Disposable.from(
    ...commands,
    {
      dispose: () => {
        for (const table of tables)
          table.then(
            (loaded) => loaded.dispose(),
            () => undefined,
          );
      },
    },
    reports,
    committed,
    planned,
    links,
    whenFilesAreShown(() => {
      openReview().catch((error: unknown) => deps.log.error(error, 'showing comments'));
    }),
    {
      dispose: () => {
        loadedReview?.dispose();
      },
    },
    deps.pendingChanges.onSettled((settled) => {
      loadCode(() => import('./changes/pendingCommands'), deps.log.error).then(
        ({ notifySettled }) => notifySettled(notifier, settled),
        () => undefined, // A message has said so.
      );
    }),
    deps.onInterruptedRestore((restore) => {
      loadCode(() => import('./restore/interruptedRestore'), deps.log.error).then(
        ({ offerToEnd }) => offerToEnd(deps, notifier, restore),
        () => undefined, // A message has said so.
      );
    }),
    deps.onStorageProblem((error) => notifier.error(error, undefined)),
    deps.onSettingProblem((error) => notifier.error(error, undefined)),
  );
}

/** Calls back once, when an editor shows a file. */
function whenFilesAreShown(show: () => void): vscode.Disposable {
  const look = (editors: readonly vscode.TextEditor[]): void => {
    if (!editors.some(({ document }) => document.uri.scheme === 'file')) return;
    subscription.dispose();
    show();
  };
  const subscription = vscode.window.onDidChangeVisibleTextEditors(look);
  look(vscode.window.visibleTextEditors);
  return subscription;
}
