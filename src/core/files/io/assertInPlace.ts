/**
 * The last look after a write: the file that was written to must be the one at its path. A program may have deleted,
 * moved or replaced it meanwhile (oh-my-pi rewrites a session by renaming a new file over it), and then the bytes went
 * elsewhere.
 */
import type { BigIntStats } from 'node:fs';
import { readlink, type FileHandle } from 'node:fs/promises';
import { SessionError } from '../../format/entry/problem';
import type { Disk } from './disk';
import { fileVersion, type FileVersion } from '../read/sessionFile';

/**
 * @returns the state of the file at `path`, which is the one that `file` is open on.
 * @throws {SessionError} `damaged` if it isn't; the sentence says where the written bytes went.
 */
export async function assertInPlace(file: FileHandle, path: string, disk: Disk): Promise<FileVersion> {
  const written = await file.stat({ bigint: true });
  const there = await disk.stat(path, { bigint: true }).catch((error: unknown) => {
    if (!MISSING_CODES.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  });
  if (there && isSameFile(written, there)) return fileVersion(there);
  const moved = await pathOfHandle(file, written, disk);
  if (moved !== undefined) throw new SessionError('damaged', 'The session was moved to {moved} while it was being written, and the change went with it: {path}', { moved, path });
  if (there) throw replacedError(path);
  // Asked only now: it may have had a name when it was looked at first.
  throw (await file.stat()).nlink > 0
    ? new SessionError('damaged', 'The session was moved while it was being written, and the change went with it. It’s no longer here: {path}', { path })
    : new SessionError('damaged', 'The session was deleted while it was being written, and the change went with it: {path}', { path });
}

/** For a file that has another one in its place by now. */
export function replacedError(path: string): SessionError {
  return new SessionError('damaged', 'Another program replaced this session’s file while it was being written. The change went to the file that was there before, so look whether the session has it: {path}', { path });
}

/** What `stat` says of a path with nothing there. */
const MISSING_CODES: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

export const isSameFile = (a: BigIntStats, b: BigIntStats): boolean => a.ino === b.ino && a.dev === b.dev;

/** The path of an open file, where the system tells: Linux. */
async function pathOfHandle(file: FileHandle, written: BigIntStats, disk: Disk): Promise<string | undefined> {
  const path = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  // Of a file with several names, the system may only know the one that is gone.
  const there = path === undefined ? undefined : await disk.stat(path, { bigint: true }).catch(() => undefined);
  return there && isSameFile(written, there) ? path : undefined;
}

/** For a file that can't be found any more to say more of it. */
export function goneError(path: string): SessionError {
  return new SessionError('damaged', 'The session was moved or deleted right after it was written to, and the change went with it: {path}', { path });
}
