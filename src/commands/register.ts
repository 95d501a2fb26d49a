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
import { fileCommands } from './fileSessions';
import { followLink } from './followLink';
import { forkCommands } from './fork';
import { framed, type Handler } from './frame';
import { insisting } from './insist';
import { migrateCommands } from './migrate';
import { openCommands } from './open';
import { openReports } from './reports';
import { revealSessionCommands } from './revealSession';
import { runCommands } from './run';
import { searchCommands } from './search';
import { voice as voiceOf } from './speak';
import { undoCommands } from './undo';
import { viewCommands } from './view';
import { tellSettled, waitingCommands } from './waiting';

export type { CommandDeps } from './deps';

/** Others rely on the answers of these; the rest are the person's alone. */
type Commands = { readonly [Id in keyof CommandContract]: Handler<CommandContract[Id]['answer']> };

export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const voice = voiceOf(deps.log);
  const insist = insisting();
  const reports = openReports();
  const commands = {
    ...changeCommands(deps, voice, insist),
    ...migrateCommands(deps, voice, insist, reports),
    ...deleteCommands(deps, voice, insist),
    ...undoCommands(deps, voice, insist),
    ...waitingCommands(deps),
    ...forkCommands(deps, voice),
    ...openCommands(deps),
    ...compareCommands(deps),
    ...runCommands(deps),
    ...searchCommands(deps),
    ...fileCommands(deps),
    ...revealSessionCommands(deps),
    ...clearIndexCommands(deps, voice),
    ...copyCommands(deps),
    ...viewCommands(deps),
  } satisfies Commands;
  const registered = Object.entries<Handler<unknown>>(commands).map(([id, handler]) => registerCommand(id, framed(deps, voice, handler)));
  const links = vscode.window.registerUriHandler({ handleUri: (uri) => followLink(deps, voice, uri) });
  return vscode.Disposable.from(...registered, reports, links, deps.waiting.onSettled((news) => tellSettled(voice, news)), deps.onTrouble((error) => voice.failed(error, undefined)));
}
