/** Folders that only this user can write to: the extension's storage, and its trash folders among sessions. */
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { SessionError } from '../../format/entry/problem';
import { fileError } from '../io/fileErrors';

/**
 * Creates a folder and its missing parents with mode 0700.
 *
 * @throws {SessionError} as {@link assertOwnFolder}, and for failures of the file system.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const mode = await assertOwnFolder(path);
    if (mode !== 0o700) await chmod(path, 0o700);
  } catch (error) {
    throw fileError(error, path);
  }
}

/**
 * Returns the folder's permission bits.
 *
 * @throws {SessionError} `invalid` if the path is a symbolic link or not a folder; `permission` if the folder belongs
 * to another user (POSIX only), who then controls its content.
 */
export async function assertOwnFolder(path: string): Promise<number> {
  const stats = await lstat(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  if (stats.isSymbolicLink())
    throw new SessionError(
      'invalid',
      'The extension can’t use this folder because it’s a symbolic link. Remove the link, or replace it with a folder: {path}',
      { path },
    );
  if (!stats.isDirectory()) throw new SessionError('invalid', 'The extension needs a folder here, but this isn’t one: {path}', { path });
  if (process.getuid && stats.uid !== process.getuid())
    throw new SessionError('permission', 'The extension can’t use this folder because it belongs to another user: {path}', { path });
  return stats.mode & 0o777;
}
