/** Reads the files of a project that may be restored. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { SessionError } from '../../format/entry/problem';
import type { FoundFile } from '../../format/restore/planFile';
import type { PlannedState } from '../../format/restore/restorePlan';
import { withDeadline } from '../concurrency/deadline';
import { errorCode, isMissing } from '../io/fileErrors';
import { notRegularFileError, readRanges } from '../io/regularFile';

/** The largest file that is restored, in bytes. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Milliseconds that a file may take to be read. */
const DEADLINE = 10_000;

/** The bytes of a regular file. */
export interface FoundBytes extends PlannedState {
  readonly bytes: Buffer;
}

/** The hash that identifies a file's bytes. */
export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Reads a file at a real path. Follows no link.
 *
 * @returns `undefined` if nothing is there
 * @throws {SessionError} `not-a-session` for anything but a regular file; `invalid` if it's too large or doesn't answer
 * @throws {NodeJS.ErrnoException} the system's errors
 */
export const readFound = (path: string): Promise<FoundBytes | undefined> =>
  withDeadline(read(path), DEADLINE, () => new SessionError('invalid', 'This file didn’t respond in time: {path}', { path }));

async function read(path: string): Promise<FoundBytes | undefined> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) throw notRegularFileError(path);
    if (stats.size > MAX_FILE_BYTES)
      throw new SessionError('invalid', 'This file is too large to read (limit: {limit} bytes): {path}', { path, limit: MAX_FILE_BYTES });
    const [bytes = Buffer.of()] = await readRanges(path, [[0, stats.size, Buffer.allocUnsafe(stats.size)]], false);
    return { bytes, sha256: hashOf(bytes), mode: stats.mode & 0o777 };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns what a plan has to know of a file at a real path. */
export async function foundFile(path: string): Promise<FoundFile> {
  try {
    return asFoundFile(await readFound(path));
  } catch (error) {
    if (error instanceof SessionError) return { kind: 'other', reason: 'notRegular' };
    if (errorCode(error) === undefined) throw error;
    return { kind: 'other', reason: 'unreadable' };
  }
}

/** Returns what a plan has to know of a file's bytes. Only bytes in UTF-8 without null characters are a text. */
export function asFoundFile(found: FoundBytes | undefined): FoundFile {
  if (!found) return { kind: 'none' };
  const { bytes, sha256, mode } = found;
  return bytes.includes(0) || !isUtf8(bytes)
    ? { kind: 'other', reason: 'notText', state: { sha256, mode } }
    : { kind: 'text', text: bytes.toString('utf8'), state: { sha256, mode } };
}
