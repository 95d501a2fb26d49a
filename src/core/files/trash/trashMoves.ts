/**
 * Moves between a session's folder and a trash folder. Neither is trusted, so both are checked first, and nothing is
 * overwritten.
 */
import { link, lstat, mkdir, realpath, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { exists } from '../io/exists';
import { errorCode, fileError, isMissing } from '../io/fileErrors';
import { assertOwnFolder } from '../storage/privateFolder';
import { retryWhileOpen } from '../storage/retryWhileOpen';
import type { FileStats } from './trashRecords';

/** The note in a deletion's folder, meant for people. The extension never acts on it. */
export const NOTE_FILE = 'note.json';

/** The inode at a path, without following links; `undefined` if the path doesn't exist. */
export async function inodeAt(path: string): Promise<string | undefined> {
  return lstat(path, { bigint: true }).then(
    ({ ino }) => String(ino),
    (error: unknown) => {
      if (isMissing(error)) return undefined;
      throw fileError(error, path);
    },
  );
}

/** Returns what identifies the regular file at a path; `undefined` for anything else. */
export async function statsAt(path: string): Promise<FileStats | undefined> {
  const stats = await lstat(path, { bigint: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw fileError(error, path);
  });
  return stats?.isFile() ? { ino: String(stats.ino), size: Number(stats.size), mtime: Number(stats.mtimeMs) } : undefined;
}

/**
 * Checks that a deletion's folder and the trash folder around it belong to this user and aren't links.
 *
 * @returns false if there is none.
 * @throws {SessionError} `invalid`, `permission`
 */
export async function checkEntryFolder(place: string): Promise<boolean> {
  if (!(await exists(dirname(place)))) return false;
  await assertOwnFolder(dirname(place));
  if (!(await exists(place))) return false;
  await assertOwnFolder(place);
  return true;
}

/**
 * Ensures that a folder exists and that its real path is `expected`. Creates missing folders.
 *
 * @throws {SessionError} `invalid` if it leads elsewhere.
 */
export async function ensureFolderAt(folder: string, expected: string): Promise<void> {
  try {
    const { real, missing } = await realPart(folder);
    if (join(real, ...missing) !== expected) throw folderMovedError(folder);
    let at = real;
    for (const name of missing) {
      at = join(at, name);
      await mkdir(at);
    }
    if ((await realpath(folder)) !== expected) throw folderMovedError(folder);
  } catch (error) {
    throw fileError(error, folder);
  }
}

/** The existing part of a path with links resolved, and the missing names below it. */
async function realPart(path: string): Promise<{ real: string; missing: string[] }> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return { real: await realpath(at), missing };
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || at === dirname(at)) throw error;
      missing.unshift(basename(at));
    }
  }
}

/**
 * Moves a file or folder back without overwriting: a hard link fails if the path is taken, and a folder only replaces
 * an empty one.
 */
export async function moveBack(kept: string, path: string): Promise<void> {
  const isFolder = (await lstat(kept)).isDirectory();
  if (!isFolder) {
    try {
      await link(kept, path);
      // The file is restored. A disk may refuse temporarily to remove the name in the trash.
      await unlink(kept)
        .catch(() => unlink(kept))
        .catch(() => undefined);
      return;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw pathTakenError(path);
    }
  }
  // A folder, or a file system without hard links.
  await retryWhileOpen(async () => {
    if (await exists(path)) throw pathTakenError(path);
    await rename(kept, path);
  });
}

/** Removes a deletion's folder if it contains nothing but the note, and the trash folder if it's empty. */
export async function removeEntryFolder(place: string): Promise<void> {
  // A disk may refuse temporarily. A folder that remains is empty, or contains other files.
  const twice = <T>(work: () => Promise<T>): Promise<T | undefined> =>
    work()
      .catch(work)
      .catch(() => undefined);
  if (await twice(() => checkEntryFolder(place))) {
    await twice(() => unlink(join(place, NOTE_FILE)));
    await twice(() => rmdir(place));
  }
  await twice(() => rmdir(dirname(place)));
}

/**
 * Maps an error of a move to `SessionError`, in addition to {@link fileError} for one between file systems. Such errors
 * occur inside a folder as well: at mount points, and for folders of a lower layer of overlayfs.
 */
export function moveError(error: unknown, path: string): unknown {
  if (errorCode(error) !== 'EXDEV') return fileError(error, path);
  return new SessionError(
    'invalid',
    'The session and the trash are on different file systems, so nothing was moved. Move or delete it in your file manager: {path}',
    { path },
    { cause: error },
  );
}

export const pathTakenError = (path: string): SessionError =>
  new SessionError('invalid', 'Something else is in its place now. Move it away first: {path}', { path });

const folderMovedError = (path: string): SessionError =>
  new SessionError('invalid', 'This folder now points somewhere else, so nothing was moved there: {path}', {
    path,
  });
