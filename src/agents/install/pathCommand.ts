/** The command `session-tree` in a folder of PATH: a link to the launcher, on Windows a script that calls it. */
import { access, constants, lstat, mkdir, readlink, symlink, unlink } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { createFile, errorCode, isMissing, isWithin, readSmallText, SessionError, type RootEnvironment } from '../../core/index';
import type { AgentFiles } from '../agentFiles';
import { readRecord, writeRecord } from './record';

const IS_WINDOWS = process.platform === 'win32';
const NAME = IS_WINDOWS ? 'session-tree.cmd' : 'session-tree';

export interface InstalledCommand {
  readonly path: string;
  /** False if the folder isn't in PATH, so that the person has to add it. */
  readonly isInPath: boolean;
}

/**
 * Installs the command.
 *
 * @param extensions see `InstalledRecord`
 * @throws {SessionError} `invalid` if something else has its name; `permission`
 */
export async function installCommand(files: AgentFiles, environment: RootEnvironment, extensions: string): Promise<InstalledCommand> {
  const folders = pathFolders(environment);
  const folder = await folderFor(folders, environment.home);
  const path = join(folder, NAME);
  const installed = { path, isInPath: folders.includes(folder) };
  const found = await stateOf(path, files);
  if (found === 'theirs') throw new SessionError('invalid', 'Something else has this name, and is left as it is: {path}', { path });
  const record = await readRecord(files);
  if (record.command !== undefined && record.command !== path) await remove(record.command, files);
  await writeRecord(files, { ...record, extensions, command: path });
  if (found === 'ours') return installed;
  await mkdir(folder, { recursive: true });
  try {
    if (IS_WINDOWS) await createFile(path, (to) => to.text(script(files)));
    else await symlink(files.launcher, path);
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EROFS' && errorCode(error) !== 'EPERM') throw error;
    throw new SessionError('permission', 'This folder can’t be written: {path}', { path: folder });
  }
  return installed;
}

/** Removes the command if it's ours. @returns its path; `undefined` if there's none of ours */
export async function uninstallCommand(files: AgentFiles): Promise<string | undefined> {
  const { command, ...record } = await readRecord(files);
  if (command === undefined) return undefined;
  const isRemoved = await remove(command, files);
  await writeRecord(files, record);
  return isRemoved ? command : undefined;
}

async function remove(path: string, files: AgentFiles): Promise<boolean> {
  if ((await stateOf(path, files)) !== 'ours') return false;
  await unlink(path);
  return true;
}

async function stateOf(path: string, files: AgentFiles): Promise<'absent' | 'ours' | 'theirs'> {
  try {
    const stats = await lstat(path);
    if (IS_WINDOWS) return (await readSmallText(path)) === script(files) ? 'ours' : 'theirs';
    return stats.isSymbolicLink() && (await readlink(path)) === files.launcher ? 'ours' : 'theirs';
  } catch (error) {
    if (isMissing(error)) return 'absent';
    throw error;
  }
}

const script = ({ launcher }: AgentFiles): string => `@"${launcher}" %*\r\n`;

/** The absolute folders of PATH in their order. */
const pathFolders = ({ env }: RootEnvironment): string[] =>
  (env['PATH'] ?? '').split(delimiter).flatMap((folder) => (isAbsolute(folder) ? [resolve(folder)] : []));

/** Prefers the folder that most systems have in PATH for programs of a person, then others of the person that are there. */
async function folderFor(folders: readonly string[], home: string): Promise<string> {
  const usual = join(home, '.local', 'bin');
  if (folders.includes(usual)) return usual;
  for (const folder of folders) {
    if (!isWithin(folder, home, process.platform)) continue;
    const canWrite = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (canWrite) return folder;
  }
  return usual;
}
