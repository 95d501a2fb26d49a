/** The rules for unpacking a session that oh-my-pi has compressed. Anyone may have made the file. FORMAT section 1. */
import { SessionError } from '../../format/entry/problem';
import { errorCode, isMissing } from '../io/fileErrors';
import type { FileVersion } from './fileVersion';

/** Bytes of an archived session, and what it may unpack to. All of it is held in memory. */
export const MAX_COMPRESSED_BYTES = 64 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** Options for `gunzip`: it stops as soon as there is more. */
export const GUNZIP_OPTIONS = { maxOutputLength: MAX_UNPACKED_BYTES } as const;

/** Identifies the unpacked bytes of a version of a file. */
export const unpackedKey = (path: string, { size, mtimeMs, ino }: FileVersion): string => JSON.stringify([path, size, mtimeMs, ino]);

/** @throws {SessionError} `invalid` for a file that is larger than what is read of one. */
export function assertCompressedSize(path: string, { size }: FileVersion): void {
  if (size > MAX_COMPRESSED_BYTES) throw tooLargeError(path);
}

/** Returns the error for a file that can't be unpacked: it's too large, cut short, or something else. */
export const gunzipError = (error: unknown, path: string): SessionError =>
  errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
    ? tooLargeError(path, error)
    : new SessionError(
        'not-a-session',
        'Can’t unpack this archived session because the file is damaged or isn’t compressed: {path}',
        { path },
        { cause: error },
      );

const MB = 1024 * 1024;

const tooLargeError = (path: string, cause?: unknown): SessionError =>
  new SessionError(
    'invalid',
    'This archived session is too large to unpack (limits: {compressed} MB compressed, {unpacked} MB unpacked): {path}',
    { compressed: MAX_COMPRESSED_BYTES / MB, unpacked: MAX_UNPACKED_BYTES / MB, path },
    { cause },
  );

/** @throws {SessionError} `changed` if the file that was opened again isn't the version that was found. */
export function assertNotReplaced(path: string, version: FileVersion, now: FileVersion): void {
  if (unpackedKey(path, now) !== unpackedKey(path, version)) throw replacedWhileReadingError(path);
}

const replacedWhileReadingError = (path: string): SessionError =>
  new SessionError('changed', 'The file changed while it was being read. Refresh and try again: {path}', { path });

/** Returns the error for a file that can't be opened a second time. */
export const reopeningError = (error: unknown, path: string): unknown => (isMissing(error) ? replacedWhileReadingError(path) : error);
