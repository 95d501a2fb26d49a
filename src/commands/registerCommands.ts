/** Registers the extension's commands: one table of ids, with a handler for each. */
import * as vscode from 'vscode';
import { isFocusedRow, type CommandContract, type RowKey } from '../contract';
import { registerCommand } from '../ui/registerCommand';
import { agentTraceCommands } from './lines/agentTraceCommands';
import { annotationCommands } from './lines/annotationCommands';
import { changeCommands } from './changes/changeCommands';
import { changeCommands as openChangeCommands } from './open/changeCommands';
import { clearIndexCommands } from './search/clearIndexCommands';
import { compareCommands } from './open/compareCommands';
import { copyCommands } from './copyCommands';
import { deleteCommands } from './changes/deleteCommands';
import type { CommandDeps } from './handler/commandDeps';
import { sessionsOfLinesCommands } from './lines/sessionsOfLinesCommands';
import { sessionsForFileCommands } from './search/sessionsForFileCommands';
import { followLink } from './open/followLink';
import { goToSessionCommands } from './open/goToSessionCommands';
import { forkCommands } from './changes/forkCommands';
import { commandCallback, type CommandHandler } from './handler/commandHandler';
import { createConfirmForce } from './changes/confirmForce';
import { migrateCommands } from './changes/migrateCommands';
import { fileVersionCommands } from './lines/fileVersionCommands';
import { lineOriginCommands } from './lines/lineOriginCommands';
import { whyThisLineCommands } from './lines/whyThisLine';
import { locationCommands } from './open/locationCommands';
import { openCommands } from './open/openCommands';
import { createReportDocuments } from './changes/reportDocuments';
import { runningCommands } from './open/runningCommands';
import { reviewCommands } from './lines/reviewCommands';
import { revealSessionCommands } from './open/revealSessionCommands';
import { terminalCommands } from './terminal/terminalCommands';
import { searchCommands } from './search/searchCommands';
import { createNotifier } from './handler/notifications';
import { undoCommands } from './changes/undoCommands';
import { viewCommands } from './viewCommands';
import { notifySettled, pendingCommands } from './changes/pendingCommands';

export type { CommandDeps } from './handler/commandDeps';

/** Requires a handler with the documented answer for each command of the contract. Further commands are for menus only. */
type Commands = { readonly [Id in keyof CommandContract]: CommandHandler<CommandContract[Id]['answer']> };

/** The key behind a command. Menus show a key only beside the command that it's bound to, so several commands share one. */
const ROW_KEYS: Readonly<Record<string, RowKey>> = {
  'sessionTree.rename': 'rename',
  'sessionTree.label': 'rename',
  'sessionTree.delete': 'delete',
  'sessionTree.dropWaiting': 'delete',
};

/** Lets a command that a key runs act on the focused rows, whichever of the key's commands fits these. */
function keyOrCall(
  deps: CommandDeps,
  id: string,
  call: (...args: unknown[]) => Promise<unknown>,
): (...args: unknown[]) => Promise<unknown> {
  const key = ROW_KEYS[id];
  return key === undefined ? call : (...args) => (isFocusedRow(args[0]) ? deps.runKey(key) : call(...args));
}

/** Registers all commands, and the handler of links to sessions. */
export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const notifier = createNotifier(deps.log);
  const confirmForce = createConfirmForce();
  const reports = createReportDocuments();
  const review = reviewCommands(deps, notifier);
  const commands = {
    ...changeCommands(deps, notifier, confirmForce),
    ...migrateCommands(deps, notifier, confirmForce, reports),
    ...deleteCommands(deps, notifier, confirmForce),
    ...undoCommands(deps, notifier, confirmForce),
    ...pendingCommands(deps),
    ...forkCommands(deps, notifier),
    ...openCommands(deps),
    ...compareCommands(deps),
    ...openChangeCommands(deps),
    ...lineOriginCommands(deps),
    ...review.commands,
    ...agentTraceCommands(deps, notifier, reports),
    ...annotationCommands(deps),
    ...fileVersionCommands(deps),
    ...whyThisLineCommands(deps),
    ...sessionsOfLinesCommands(deps),
    ...terminalCommands(deps),
    ...searchCommands(deps),
    ...sessionsForFileCommands(deps),
    ...revealSessionCommands(deps),
    ...runningCommands(deps),
    ...locationCommands(deps),
    ...clearIndexCommands(deps, notifier),
    ...copyCommands(deps),
    ...viewCommands(deps),
    ...goToSessionCommands(deps),
  } satisfies Commands;
  const registered = Object.entries<CommandHandler<unknown>>(commands).map(([id, handler]) =>
    registerCommand(id, keyOrCall(deps, id, commandCallback(deps, notifier, handler))),
  );
  const links = vscode.window.registerUriHandler({ handleUri: (uri) => followLink(deps, notifier, uri) });
  return vscode.Disposable.from(
    ...registered,
    reports,
    review,
    links,
    deps.pendingChanges.onSettled((settled) => notifySettled(notifier, settled)),
    deps.onStorageProblem((error) => notifier.error(error, undefined)),
  );
}
