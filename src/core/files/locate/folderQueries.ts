/** Queries of folders through a {@link DiskAccess}, which may set a deadline. */
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, isMissing } from '../io/fileErrors';

/**
 * Performs an operation on a path, for example with a deadline. For one path the operation is always the same, so
 * results can be shared.
 */
export type DiskAccess = <T>(path: string, how: (path: string) => Promise<T>) => Promise<T>;

export const realPath = (path: string): Promise<string> => realpath(path);

/** True unless the path is known to be missing. */
export const mayExist = (path: string, access: DiskAccess): Promise<boolean> =>
  access(path, realPath).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );

/** Returns the names of a folder's folders, links included; none if it is missing. */
export const folderNames = (path: string, access: DiskAccess, onProblem: (path: string, error: unknown) => void): Promise<string[]> =>
  names(path, access, onProblem, true);

/** Returns the names of a folder's other entries; none if it is missing. */
export const fileNames = (path: string, access: DiskAccess, onProblem: (path: string, error: unknown) => void): Promise<string[]> =>
  names(path, access, onProblem, false);

async function names(
  path: string,
  access: DiskAccess,
  onProblem: (path: string, error: unknown) => void,
  areFolders: boolean,
): Promise<string[]> {
  try {
    return (await access(path, (at) => readdir(at, { withFileTypes: true })))
      .filter((entry) => areFolders === (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => entry.name);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') onProblem(path, error);
    return [];
  }
}

/** Returns the paths that begin with a path, sorted. @throws {NodeJS.ErrnoException} if the folder can't be read */
export async function pathsFrom(start: string): Promise<string[]> {
  const names = await readdir(dirname(start));
  return names
    .filter((name) => name.startsWith(basename(start)))
    .sort()
    .map((name) => join(dirname(start), name));
}

/** The same for regular files only: no folders, links or FIFOs. */
export async function filesFrom(start: string): Promise<string[]> {
  const entries = await readdir(dirname(start), { withFileTypes: true });
  return entries
    .filter((entry) => entry.name.startsWith(basename(start)) && entry.isFile())
    .map(({ name }) => join(dirname(start), name))
    .sort();
}
