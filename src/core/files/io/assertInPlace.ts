/**
 * Verification after a write: the file that was written to must still be the one at its path. A program may have
 * deleted, moved or replaced it meanwhile (oh-my-pi rewrites a session by renaming a new file over it), and then the
 * bytes went elsewhere.
 */
import type { BigIntStats } from 'node:fs';
import { readlink, type FileHandle } from 'node:fs/promises';
import { SessionError } from '../../format/entry/problem';
import type { Disk } from './disk';
import { isMissing } from './fileErrors';
import { fileVersion, type FileVersion } from '../read/sessionFile';

/**
 * Verifies that `file` is still open on the file at `path`.
 *
 * @returns the version of that file.
 * @throws {SessionError} `damaged` if another file or none is at `path`; the sentence names where the written bytes
 * went.
 */
export async function assertInPlace(file: FileHandle, path: string, disk: Disk): Promise<FileVersion> {
  const written = await file.stat({ bigint: true });
  const there = await disk.stat(path, { bigint: true }).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  if (there && isSameFile(written, there)) return fileVersion(there);
  const moved = await pathOfHandle(file, written, disk);
  if (moved !== undefined)
    throw new SessionError('damaged', 'The session was moved to {moved} during the change, and the change went with it: {path}', {
      moved,
      path,
    });
  if (there) throw replacedError(path);
  // Checked only now: it may still have had a name at the first check.
  throw (await file.stat()).nlink > 0
    ? new SessionError('damaged', 'The session was moved during the change, and the change went with it. It’s no longer here: {path}', {
        path,
      })
    : new SessionError('damaged', 'The session was deleted during the change, so the change is lost: {path}', { path });
}

/** The error for a file that has been replaced by another file. */
export function replacedError(path: string): SessionError {
  return new SessionError(
    'damaged',
    'Another program replaced this session’s file during the change, so the change may be lost. Check the session: {path}',
    { path },
  );
}

export const isSameFile = (a: BigIntStats, b: BigIntStats): boolean => a.ino === b.ino && a.dev === b.dev;

/** The path of an open file. Only Linux reports it. */
async function pathOfHandle(file: FileHandle, written: BigIntStats, disk: Disk): Promise<string | undefined> {
  const path = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  // If a file has several names, the system may only report a removed one.
  const there = path === undefined ? undefined : await disk.stat(path, { bigint: true }).catch(() => undefined);
  return there && isSameFile(written, there) ? path : undefined;
}

/** The error for a file that can no longer be found. */
export function goneError(path: string): SessionError {
  return new SessionError('damaged', 'The session was moved or deleted right after the change, and the change went with it: {path}', {
    path,
  });
}
