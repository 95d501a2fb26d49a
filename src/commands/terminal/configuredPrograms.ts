/** The programs as the setting `sessionTree.programs` names them: their commands, and where they are. */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import {
  DIALECT_FACTS,
  findProgram,
  forkOfPath,
  resumeCommand,
  SessionError,
  sessionKey,
  startCommand,
  type Dialect,
  type HostEnvironment,
  type LaunchOptions,
  type Session,
  isArray,
} from '../../core/index';
import type { TerminalProgram } from '../../ui/safe/terminals';
import { openSettings } from '../handler/openSettings';
import { ActionableError } from '../handler/notifications';
import { shellOptionsFor } from './programLaunch';

/** Returns the command that resumes a session, with the program from the setting `sessionTree.programs`. A fork's own command opens the sessions in its folder. */
export async function configuredResumeCommand(session: Session): Promise<string[]> {
  const key = DIALECT_FACTS[session.dialect].resume.by === 'key' ? await sessionKey(session) : undefined;
  const fork = forkOfPath(session.path);
  return resumeCommand(session, { ...(fork === undefined ? programSetting(session.dialect) : { program: [fork] }), key });
}

/** Returns the command that starts a new session, with the program from the same setting. */
export const configuredStartCommand = (dialect: Dialect): string[] => startCommand(dialect, programSetting(dialect));

function programSetting(dialect: Dialect): Pick<LaunchOptions, 'program'> {
  const setting = vscode.workspace.getConfiguration('sessionTree').get<Partial<Record<Dialect, unknown>>>('programs')?.[dialect];
  // The path alone is allowed, too: ignored, it would lead to a message that asks for just that.
  const parts = isArray(setting) ? setting : setting === '' ? [] : [setting];
  const program = parts.filter((part) => typeof part === 'string');
  return program.length > 0 ? { program } : {};
}

/** The machine that the extension runs on. */
export const thisHost = (): HostEnvironment => ({ platform: process.platform, env: process.env, home: homedir() });

/**
 * Locates the folder and the program of a command.
 *
 * @throws {SessionError} `permission` in a workspace that is not trusted; `not-found` without the folder or the program.
 */
export async function locateProgram(command: readonly string[], cwd: string): Promise<TerminalProgram> {
  if (!vscode.workspace.isTrusted) {
    const manage = { title: vscode.l10n.t('Manage Workspace Trust'), run: () => vscode.commands.executeCommand('workbench.trust.manage') };
    throw new ActionableError('permission', 'Programs can only be started in a trusted workspace.', {}, manage);
  }
  if (!isAbsolute(cwd) || !(await isFolder(cwd))) throw new SessionError('not-found', 'This folder doesn’t exist: {cwd}', { cwd });
  const host = thisHost();
  const [name = '', ...args] = command;
  const program = await findProgram(name, host);
  if (program === undefined) {
    const settings = { title: vscode.l10n.t('Open Settings'), run: () => openSettings('programs') };
    throw new ActionableError('not-found', 'Couldn’t find “{name}”. Set its path in “sessionTree.programs”.', { name }, settings);
  }
  return { cwd, ...shellOptionsFor(program, args, host) };
}

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
