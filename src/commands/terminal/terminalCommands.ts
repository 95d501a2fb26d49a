/** Commands that start a program in a terminal: resume a session, start a new one. */
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import {
  DIALECT_FACTS,
  DIALECTS,
  mapPath,
  NO_MESSAGES,
  rootOf,
  SessionError,
  WorktreeFinder,
  type Dialect,
  type Session,
  type UntrustedPaths,
} from '../../core/index';
import { createTerminal } from '../../ui/safe/terminals';
import { choose, chooseFolder } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation, CommandHandler } from '../handler/commandHandler';
import { optionalFolder, optionalOneOf, sessionRefOf, requiredString } from '../handler/commandArguments';
import { dialectsIn } from '../handler/sessions/projectFolders';
import { rowCommandAction, ActionableError } from '../handler/notifications';
import { configuredResumeCommand, configuredStartCommand, isFolder, locateProgram, thisHost } from './configuredPrograms';
import { keptOpenOnError, quoteCommand } from './programLaunch';
import { newestFirst } from '../handler/sessions/newestFirst';

type Answer = CommandContract['sessionTree.resume']['answer'];

export function terminalCommands(deps: CommandDeps) {
  const resume: CommandHandler<Answer> = {
    title: vscode.l10n.t('Resume'),
    runWithArguments: async (args) => resumeSession(deps, await deps.session(sessionRefOf(args).path)),
    runInteractive: async (call) => {
      const { path } = await call.resolveRef();
      await resumeSession(deps, await deps.session(path));
    },
  };

  const newSession: CommandHandler<Answer> = {
    title: vscode.l10n.t('New Session'),
    runWithArguments: async (args) => {
      requiredString(args, 'cwd');
      const cwd = optionalFolder(args, 'cwd') ?? '';
      return startInTerminal(
        configuredStartCommand(optionalOneOf(args, 'program', DIALECTS) ?? (await dialectsOfProject(deps, cwd))[0] ?? 'pi'),
        cwd,
      );
    },
    runInteractive: async (call) => {
      // From the view's title without a row with the focus, the editor calls as on a row that is gone.
      const isOnNoRow = call.rows.length === 0 && call.args.length > 0;
      const cwd = isOnNoRow ? await chooseFolder(deps, call.title) : await resolveProject(deps, call);
      await startInTerminal(configuredStartCommand(await chooseProgram(deps, call, cwd)), cwd);
    },
  };

  const copyResumeCommand: CommandHandler<string> = {
    title: vscode.l10n.t('Copy Resume Command'),
    runWithArguments: (args) => resumeLine(deps, sessionRefOf(args).path),
    runInteractive: async (call) => {
      const { path } = await call.resolveRef();
      await vscode.env.clipboard.writeText(await resumeLine(deps, path));
    },
  };

  return { 'sessionTree.resume': resume, 'sessionTree.newSession': newSession, 'sessionTree.copyResumeCommand': copyResumeCommand };
}

/** Returns the command for a shell. Its program would write to the file. */
async function resumeLine(deps: CommandDeps, path: string): Promise<string> {
  await deps.writer.assertChangeable(path);
  return quoteCommand(await configuredResumeCommand(await deps.session(path)), process.platform);
}

/** Returns the folder of a session's project, as it is on this machine. */
const folderOf = ({ roots }: Pick<CommandDeps, 'roots'>, { path, header }: Session): string =>
  mapPath(header.cwd, rootOf(path, roots())?.map);

const resumeSession = async (deps: CommandDeps, session: Session): Promise<Answer> => (await prepareResume(deps, session))();

/**
 * Checks whether a session can be resumed, and returns a function that opens the terminal.
 *
 * @param more arguments behind those that resume the session, such as a prompt. Its terminal isn't kept across restarts of the window,
 *   which would start the program again with the same arguments
 * @throws {SessionError} `invalid` for a folder that may be on another computer; as {@link locateProgram}
 */
export async function prepareResume(deps: CommandDeps, session: Session, more: readonly string[] = []): Promise<() => Answer> {
  const { untrustedPaths, terminals } = deps;
  // The program would write to the file.
  await deps.writer.assertChangeable(session.path);
  const cwd = folderOf(deps, session);
  await assertLocalFolder(untrustedPaths, cwd);
  if (cwd === '' || !(await isFolder(cwd))) {
    const repository = cwd === '' ? undefined : await repositoryOfRemoved(deps, cwd);
    if (repository !== undefined) throw worktreeGone(session.path, cwd, repository);
    throw new ActionableError(
      'not-found',
      cwd === ''
        ? 'This session doesn’t name a project folder. Fork it into a project to continue: {path}'
        : 'This session’s folder no longer exists ({cwd}). Relink the project if it was moved, or fork the session into another project.',
      { cwd, path: session.path },
      ...(cwd === '' ? [] : [rowCommandAction(vscode.l10n.t('Relink Project…'), 'sessionTree.relink', { path: session.path })]),
      rowCommandAction(vscode.l10n.t('Fork into Another Project…'), 'sessionTree.forkTo', { path: session.path }),
    );
  }
  const command = [...(await configuredResumeCommand(session)), ...more];
  const located = await locateProgram(command, cwd);
  const failed = vscode.l10n.t('The program ended with an error. Press Enter to close this terminal.');
  const program = { cwd, ...keptOpenOnError(located, failed, thisHost()), isTransient: more.length > 0 };
  const name = terminalName(deps, session);
  return () => {
    const terminal = createTerminal(name === undefined ? program : { ...program, name });
    terminals.remember(terminal, session.path);
    void vscode.commands.executeCommand('setContext', 'sessionTree.hasResumed', true);
    terminal.show();
    return { command };
  };
}

/** Returns the repository of a worktree that was removed, which sessions in the repository lead to. */
async function repositoryOfRemoved(deps: CommandDeps, cwd: string): Promise<string | undefined> {
  const finder = new WorktreeFinder(deps.untrustedPaths);
  await finder.check([cwd, ...deps.sessions().map((session) => session.cwd)]);
  return finder.of(cwd)?.repository;
}

const worktreeGone = (path: string, cwd: string, repository: string): ActionableError =>
  new ActionableError(
    'not-found',
    'This session’s worktree no longer exists. Fork the session into its repository to continue: {cwd}',
    { cwd, path },
    {
      title: vscode.l10n.t('Fork into Repository'),
      run: async () => {
        await vscode.commands.executeCommand('sessionTree.fork', { path, targetCwd: repository });
      },
    },
  );

/** Returns the title of a session, which its terminal keeps; `undefined` if there is none yet, so that the program can set one. */
function terminalName(deps: Pick<CommandDeps, 'summary'>, { path, name }: Session): string | undefined {
  const title = deps.summary(path)?.title ?? name;
  return title === NO_MESSAGES ? undefined : title;
}

const startInTerminal = async (command: string[], cwd: string): Promise<Answer> => {
  createTerminal(await locateProgram(command, cwd)).show();
  return { command };
};

/** Checks that looking at a path doesn't contact another computer. A folder that is open in this window may be anywhere. @throws {SessionError} `invalid` */
export async function assertLocalFolder(untrustedPaths: UntrustedPaths, cwd: string): Promise<void> {
  if (!isAbsolute(cwd) || !(await untrustedPaths.isRefused(cwd)) || vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd))) return;
  throw new SessionError(
    'invalid',
    'This session’s folder may be on another computer. Open the folder first, then resume the session: {cwd}',
    { cwd },
  );
}

/** Returns the dialects of a project's sessions, the most recently used first. */
const dialectsOfProject = async (deps: CommandDeps, cwd: string): Promise<Dialect[]> =>
  dialectsIn(await newestFirst(deps.sessions()), cwd, process.platform);

/** Returns the folder of the row's project; without a row, the folder of the selected row; otherwise lets the person pick a folder. */
export async function resolveProject(deps: CommandDeps, call: CommandInvocation): Promise<string> {
  for (const row of call.targetRows()) {
    if (row.row === 'project' && row.cwd !== '') return row.cwd;
    if ('path' in row) return folderOf(deps, await deps.session(row.path)) || chooseFolder(deps, call.title);
  }
  return chooseFolder(deps, call.title);
}

async function chooseProgram(deps: CommandDeps, call: CommandInvocation, cwd: string): Promise<Dialect> {
  const used = await dialectsOfProject(deps, cwd);
  const [only, ...others] = used;
  if (only !== undefined && others.length === 0) return only;
  const all = used.length > 0 ? used : [...DIALECTS];
  return choose(
    call.title,
    vscode.l10n.t('Select a program'),
    all.map((dialect) => ({ label: DIALECT_FACTS[dialect].label, description: configuredStartCommand(dialect).join(' '), value: dialect })),
  );
}
