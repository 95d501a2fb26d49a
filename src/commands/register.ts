/** What a person can do: one table of ids, with a handler for each. */
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { registerCommand } from '../ui/commands';
import { changeCommands } from './change';
import { clearIndexCommands } from './clearIndex';
import { compareCommands } from './compare';
import { copyCommands } from './copy';
import { deleteCommands } from './delete';
import type { CommandDeps } from './deps';
import { sessionsForFileCommands } from './fileSessions';
import { followLink } from './followLink';
import { forkCommands } from './fork';
import { commandCallback, type CommandHandler } from './frame';
import { createConfirmForce } from './insist';
import { migrateCommands } from './migrate';
import { openCommands } from './open';
import { createReportDocuments } from './reports';
import { revealSessionCommands } from './revealSession';
import { terminalCommands } from './run';
import { searchCommands } from './search';
import { createNotifier as voiceOf } from './speak';
import { undoCommands } from './undo';
import { viewCommands } from './view';
import { notifySettled, pendingCommands } from './waiting';

export type { CommandDeps } from './deps';

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
