/** Commands that start a program in a terminal: resume a session, begin a new one. */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { DIALECT_FACTS, DIALECTS, resumeCommand, SessionError, sessionKey, startCommand, type Dialect, type LaunchOptions, type NamedPaths, type Session } from '../core/index';
import { choose, chooseFolder } from './ask';
import type { CommandDeps } from './deps';
import type { Call, Handler } from './frame';
import { optionalFolder, optionalOf, refOf, required } from './plain';
import { findProgram, launch, quoted, type Machine } from './program';
import { onRow, Refusal } from './speak';

type Answer = CommandContract['sessionTree.resume']['answer'];

export function runCommands(deps: CommandDeps) {
  const resume: Handler<Answer> = {
    title: vscode.l10n.t('Resume'),
    plain: async (args) => resumeSession(deps, await deps.session(refOf(args).path)),
    asked: async (call) => {
      const { path } = await call.file();
      await resumeSession(deps, await deps.session(path));
    },
  };

  const newSession: Handler<Answer> = {
    title: vscode.l10n.t('New Session'),
    plain: async (args) => {
      required(args, 'cwd');
      const cwd = optionalFolder(args, 'cwd') ?? '';
      return start(beginning(optionalOf(args, 'program', DIALECTS) ?? dialectsIn(deps, cwd)[0] ?? 'pi'), cwd);
    },
    asked: async (call) => {
      const cwd = await projectOf(deps, call);
      await start(beginning(await chooseProgram(deps, call, cwd)), cwd);
    },
  };

  const copyResumeCommand: Handler<string> = {
    title: vscode.l10n.t('Copy Resume Command'),
    plain: async (args) => quoted(await resuming(await deps.session(refOf(args).path)), process.platform),
    asked: async (call) => {
      const { path } = await call.file();
      await vscode.env.clipboard.writeText(quoted(await resuming(await deps.session(path)), process.platform));
    },
  };

  return { 'sessionTree.resume': resume, 'sessionTree.newSession': newSession, 'sessionTree.copyResumeCommand': copyResumeCommand };
}

/** The command that resumes a session, with the program as the person's settings name it. */
async function resuming(session: Session): Promise<string[]> {
  const key = DIALECT_FACTS[session.dialect].resume.by === 'key' ? await sessionKey(session) : undefined;
  return resumeCommand(session, { ...programSetting(session.dialect), key });
}

const beginning = (dialect: Dialect): string[] => startCommand(dialect, programSetting(dialect));

function programSetting(dialect: Dialect): Pick<LaunchOptions, 'program'> {
  const setting = vscode.workspace.getConfiguration('sessionTree').get<Partial<Record<Dialect, unknown>>>('programs')?.[dialect];
  const program = Array.isArray(setting) ? (setting as unknown[]).filter((part) => typeof part === 'string') : [];
  return program.length > 0 ? { program } : {};
}

const resumeSession = async (deps: CommandDeps, session: Session): Promise<Answer> => (await prepareResume(deps, session))();

/** Finds out whether and how a session can be resumed; to be called is what opens the terminal. @throws as `prepare` */
export async function prepareResume({ named, terminals }: CommandDeps, session: Session): Promise<() => Answer> {
  const { cwd } = session.header;
  await assertHere(named, cwd);
  if (cwd === '' || !(await isFolder(cwd))) {
    const template = cwd === '' ? 'This session names no project folder to resume it in; fork it into a project: {path}' : 'The folder of this session is gone: {cwd}. Fork the session into another project and resume it there.';
    throw new Refusal('not-found', template, { cwd, path: session.path }, onRow(vscode.l10n.t('Fork into Another Project…'), 'sessionTree.forkTo', { path: session.path }));
  }
  return prepare(await resuming(session), cwd, (terminal) => {
    terminals.remember(terminal, session.path);
    void vscode.commands.executeCommand('setContext', 'sessionTree.hasResumed', true);
  });
}

const start = async (command: string[], cwd: string): Promise<Answer> => (await prepare(command, cwd))();

/**
 * Finds what a command needs; to be called is what opens a terminal in which it runs.
 *
 * @throws {SessionError} `permission` in a workspace that is not trusted; `not-found` without the folder or the program.
 */
async function prepare(command: string[], cwd: string, onOpened?: (terminal: vscode.Terminal) => void): Promise<() => Answer> {
  if (!vscode.workspace.isTrusted) {
    const manage = { title: vscode.l10n.t('Manage Workspace Trust'), run: () => vscode.commands.executeCommand('workbench.trust.manage') };
    throw new Refusal('permission', 'Programs are only started in a trusted workspace.', {}, manage);
  }
  if (!isAbsolute(cwd) || !(await isFolder(cwd))) throw new SessionError('not-found', 'There is no such folder: {cwd}', { cwd });
  const machine: Machine = { platform: process.platform, env: process.env, home: homedir() };
  const [name = '', ...args] = command;
  const program = await findProgram(name, machine);
  if (program === undefined) {
    const settings = { title: vscode.l10n.t('Open Settings'), run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'sessionTree.programs') };
    throw new Refusal('not-found', 'The program “{name}” was not found. If it is installed, say in the setting sessionTree.programs where it is.', { name }, settings);
  }
  const shell = launch(program, args, machine);
  return () => {
    const terminal = vscode.window.createTerminal({ cwd, ...shell });
    onOpened?.(terminal);
    terminal.show();
    return { command };
  };
}

/** Refuses paths that would make this computer contact another one, unless the folder is open in this window. */
async function assertHere(named: NamedPaths, cwd: string): Promise<void> {
  if (!isAbsolute(cwd) || !(await named.isRefused(cwd)) || vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd))) return;
  throw new SessionError('invalid', 'The folder of this session may be on another computer. Open the folder in the editor first, then resume the session there: {cwd}', { cwd });
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/** The programs that have sessions in a project, the last used first. */
const dialectsIn = (deps: CommandDeps, cwd: string): Dialect[] => [...new Set(deps.sessions().filter((session) => session.cwd === cwd).map((session) => session.dialect))];

/** The project of the row, else of the selected row or the active view, else the one that the person picks. */
export async function projectOf(deps: CommandDeps, call: Call): Promise<string> {
  for (const row of call.at()) {
    if (row.row === 'project' && row.cwd !== '') return row.cwd;
    if (row.row !== 'project') return (await deps.session(row.path)).header.cwd || chooseFolder(deps, call.title);
  }
  return chooseFolder(deps, call.title);
}

async function chooseProgram(deps: CommandDeps, call: Call, cwd: string): Promise<Dialect> {
  const used = dialectsIn(deps, cwd);
  if (used.length === 1) return used[0]!;
  const all = used.length > 0 ? used : [...DIALECTS];
  return choose(
    call.title,
    vscode.l10n.t('With which program?'),
    all.map((dialect) => ({ label: DIALECT_FACTS[dialect].label, description: beginning(dialect).join(' '), value: dialect })),
  );
}
