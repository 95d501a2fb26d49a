/**
 * Removes a session's file after another whole copy of it was made. The file has a hidden name first, under which no program
 * opens it, so that what still has it open can be found and no line is lost. FORMAT section 6, rules 11 and 12.
 */
import { lstat, type FileHandle } from 'node:fs/promises';
import { SessionError } from '../../format/entry/problem';
import { isSameFile } from '../io/assertInPlace';
import { placeNewFile } from '../io/atomicFile';
import { copyAll } from '../io/copyFile';
import { realDisk, type Disk } from '../io/disk';
import { removeName } from '../io/removeName';
import { changedError, sameVersion } from '../read/versions/compareVersions';
import { fileVersion, type FileVersion } from '../read/versions/fileVersion';
import { retryWhileOpen } from '../storage/retryWhileOpen';
import { exists } from '../io/exists';
import { moveBack, pathTakenError } from '../trash/trashMoves';

/** A session's file that is to be removed, and that is open. */
interface Original {
  readonly path: string;
  /** The hidden name, in the file's folder. */
  readonly hidden: string;
  readonly file: FileHandle;
  /** The version that was copied. */
  readonly version: FileVersion;
  /** Permission bits. */
  readonly mode: number;
}

export interface RemovalOptions {
  /** Throws `live` if another program has the file open. */
  readonly assertClosed: (path: string) => Promise<void>;
  /** Keeps the hidden name: a program that can't be seen may have the file open. */
  readonly isKept?: boolean;
  readonly disk?: Disk;
}

/**
 * Removes the file, or leaves it with its hidden name if it's to be kept.
 *
 * @throws {SessionError} `live`, `changed`, `invalid` or `permission`: the file is at its path, with all that was written to it.
 * @throws {NotAtPathError} the copy has to stay: this file has its hidden name and can't get its path back, or is gone; or the
 *   lines that came in the last moment couldn't be saved.
 * @throws {NodeJS.ErrnoException} the system's errors. The file is at its path.
 */
export async function removeOriginal(original: Original, options: RemovalOptions): Promise<void> {
  const { path, hidden, file, version, mode } = original;
  const { assertClosed, isKept = false, disk = realDisk } = options;
  if (await exists(hidden)) throw pathTakenError(hidden);
  const assertUnchanged = async (): Promise<void> => {
    if (!sameVersion(version, fileVersion(await disk.stat(hidden, { bigint: true })))) throw changedError(path);
  };
  try {
    await retryWhileOpen(() => disk.rename(path, hidden));
    await assertClosed(hidden);
    // Another program may have written to the file, or replaced it, until then.
    await assertUnchanged();
    if (isKept) return;
    await removeName(hidden, disk);
  } catch (error) {
    await bringBack(original);
    throw error;
  }
  if (await isUnchanged(file, version)) return;
  await placeNewFile(path, (put) => copyAll(file, put), { mode, disk }).catch((error: unknown) => {
    throw new NotAtPathError('damaged', LAST_LINES, { path }, { cause: error });
  });
  throw changedError(path);
}

/** The file isn't at its path any more, so the copy of it has to stay. */
export class NotAtPathError extends SessionError {}

const LAST_LINES = 'The last lines that another program wrote to this session while it was moved couldn’t be saved: {path}';

/** Gives a file its path back. @throws {NotAtPathError} if it can't, or the file is gone: the copy may be the only one. */
async function bringBack({ path, hidden, file }: Original): Promise<void> {
  try {
    if (await exists(hidden)) await moveBack(hidden, path);
    else if (!isSameFile(await file.stat({ bigint: true }), await lstat(path, { bigint: true }))) throw goneError(path);
  } catch (error) {
    if (await isThere(hidden)) throw (await isThere(path)) ? keptError(hidden, path) : hiddenError(hidden, path, error);
    throw goneError(path, error);
  }
}

/** If it isn't known, the name counts as missing. */
const isThere = (path: string): Promise<boolean> => exists(path).catch(() => false);

/**
 * Gives a file that has its hidden name its path back, or removes that name if it has both.
 *
 * @throws {NotAtPathError} if another file is at the path.
 */
export async function releaseHidden(hidden: string, path: string, disk: Disk = realDisk): Promise<void> {
  if (!(await exists(hidden))) return;
  if (!(await exists(path))) await moveBack(hidden, path);
  else if (isSameFile(await lstat(hidden, { bigint: true }), await lstat(path, { bigint: true }))) await disk.unlink(hidden);
  else throw keptError(hidden, path);
}

/** True if nothing was written to an open file. Says nothing about its path. */
export const isUnchanged = async (file: FileHandle, version: FileVersion): Promise<boolean> =>
  sameVersion(version, fileVersion(await file.stat({ bigint: true })));

/** The error for a session that still has its hidden name because another file has its path. */
const keptError = (hidden: string, path: string): SessionError =>
  new NotAtPathError('damaged', 'A session was created at the path of one that was being moved and is kept in {held}: {path}', {
    held: hidden,
    path,
  });

/** The error for a session that the system leaves its hidden name. */
const hiddenError = (hidden: string, path: string, cause: unknown): SessionError =>
  new NotAtPathError('damaged', 'This session couldn’t get its name back and is kept in {held}: {path}', { held: hidden, path }, { cause });

/** The error for a session that was removed, or can't be reached anymore. */
const goneError = (path: string, cause?: unknown): SessionError =>
  new NotAtPathError(
    'damaged',
    'This session disappeared while it was archived or moved, so the new copy of it was kept: {path}',
    { path },
    { cause },
  );
