/** What a person can do: one table of ids, with a handler for each. */
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { registerCommand } from '../ui/registerCommand';
import { changeCommands } from './changes/changeCommands';
import { clearIndexCommands } from './search/clearIndexCommands';
import { compareCommands } from './open/compareCommands';
import { copyCommands } from './copyCommands';
import { deleteCommands } from './changes/deleteCommands';
import type { CommandDeps } from './handler/commandDeps';
import { sessionsForFileCommands } from './search/sessionsForFileCommands';
import { followLink } from './open/followLink';
import { forkCommands } from './changes/forkCommands';
import { commandCallback, type CommandHandler } from './handler/commandHandler';
import { createConfirmForce } from './changes/confirmForce';
import { migrateCommands } from './changes/migrateCommands';
import { openCommands } from './open/openCommands';
import { createReportDocuments } from './changes/reportDocuments';
import { revealSessionCommands } from './open/revealSessionCommands';
import { terminalCommands } from './terminal/terminalCommands';
import { searchCommands } from './search/searchCommands';
import { createNotifier as voiceOf } from './handler/notifications';
import { undoCommands } from './changes/undoCommands';
import { viewCommands } from './viewCommands';
import { notifySettled, pendingCommands } from './changes/pendingCommands';

export type { CommandDeps } from './handler/commandDeps';

/** Others rely on the answers of these; the rest are the person's alone. */
type Commands = { readonly [Id in keyof CommandContract]: CommandHandler<CommandContract[Id]['answer']> };

export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const voice = voiceOf(deps.log);
  const insist = createConfirmForce();
  const reports = createReportDocuments();
  const commands = {
    ...changeCommands(deps, voice, insist),
    ...migrateCommands(deps, voice, insist, reports),
    ...deleteCommands(deps, voice, insist),
    ...undoCommands(deps, voice, insist),
    ...pendingCommands(deps),
    ...forkCommands(deps, voice),
    ...openCommands(deps),
    ...compareCommands(deps),
    ...terminalCommands(deps),
    ...searchCommands(deps),
    ...sessionsForFileCommands(deps),
    ...revealSessionCommands(deps),
    ...clearIndexCommands(deps, voice),
    ...copyCommands(deps),
    ...viewCommands(deps),
  } satisfies Commands;
  const registered = Object.entries<CommandHandler<unknown>>(commands).map(([id, handler]) => registerCommand(id, commandCallback(deps, voice, handler)));
  const links = vscode.window.registerUriHandler({ handleUri: (uri) => followLink(deps, voice, uri) });
  return vscode.Disposable.from(...registered, reports, links, deps.pendingChanges.onSettled((news) => notifySettled(voice, news)), deps.onStorageProblem((error) => voice.error(error, undefined)));
}
