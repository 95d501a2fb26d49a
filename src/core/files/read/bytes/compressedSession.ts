/** Unpacks archived sessions. Anyone may have made the file, so its size is limited. FORMAT section 1. */
import * as zlib from 'node:zlib';
import { SessionError } from '../../../format/entry/problem';
import { compressionOf } from '../../../format/session/archivedSession';
import { errorCode, isMissing } from '../../io/fileErrors';
import type { FileVersion } from '../versions/fileVersion';

/** Bytes that an archived session may unpack to. */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Bytes of an archived session. Some can't be compressed and get a little longer. */
const MAX_COMPRESSED_BYTES = MAX_UNPACKED_BYTES + 1024 * 1024;

/** Identifies the unpacked bytes of a version of a file. */
export const unpackedKey = (path: string, { size, mtimeMs, ino }: FileVersion): string => JSON.stringify([path, size, mtimeMs, ino]);

/** @throws {SessionError} `invalid` for a file above the size limit. */
export function assertCompressedSize(path: string, { size }: FileVersion): void {
  if (size > MAX_COMPRESSED_BYTES) throw tooLargeError(path);
}

/** The number of bytes that an archived session usually unpacks to. */
export const approximateSize = ({ size }: FileVersion): number => Math.min(size * USUAL_RATIO, MAX_UNPACKED_BYTES);

const USUAL_RATIO = 5;

/**
 * Unpacks the bytes of an archived session piece by piece, on another thread.
 *
 * @throws {SessionError} `not-a-session`; `invalid` if it's too large, or Node can't unpack it.
 */
export async function* unpackPieces(path: string, packed: Buffer): AsyncGenerator<Buffer, void> {
  const create = compressionOf(path) === 'zst' ? zlib.createZstdDecompress : zlib.createGunzip;
  if (typeof create !== 'function') throw unsupportedError(path);
  const decoder = create({ chunkSize: PIECE_BYTES });
  decoder.end(packed);
  let size = 0;
  try {
    // A stream without an encoding has buffers.
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > MAX_UNPACKED_BYTES) throw tooLargeError(path);
      yield piece;
    }
  } catch (error) {
    throw unpackError(error, path);
  }
  assertWhole(path, packed, decoder.bytesWritten);
}

/** Bytes that are unpacked at a time. */
const PIECE_BYTES = 1024 * 1024;

/** Options of unpacking in one call, which stops as soon as there are more bytes than the limit. */
const OPTIONS = { maxOutputLength: MAX_UNPACKED_BYTES, chunkSize: PIECE_BYTES, info: true } as const;

/** The type of Node's functions with the option `info`, which its typings lack. */
type UnpackSync = (
  bytes: Buffer,
  options: typeof OPTIONS,
) => {
  readonly buffer: Buffer;
  /** Counts the bytes that were unpacked. */
  readonly engine: { readonly bytesWritten: number };
};

/** Unpacks all bytes of an archived session, for worker threads. @throws as {@link unpackPieces} */
export function unpackSessionSync(path: string, packed: Buffer): Buffer {
  const unpack = compressionOf(path) === 'zst' ? zlib.zstdDecompressSync : zlib.gunzipSync;
  if (typeof unpack !== 'function') throw unsupportedError(path);
  try {
    // See `UnpackSync` for the types.
    const { buffer, engine } = (unpack as unknown as UnpackSync)(packed, OPTIONS);
    assertWhole(path, packed, engine.bytesWritten);
    return buffer;
  } catch (error) {
    throw unpackError(error, path);
  }
}

/** Node ignores all bytes after the first Zstandard frame. */
function assertWhole(path: string, packed: Buffer, unpacked: number): void {
  if (unpacked !== packed.length) throw damagedError(path);
}

/** Returns the error for a file that can't be unpacked: it's too large, cut short, or something else. */
function unpackError(error: unknown, path: string): SessionError {
  if (error instanceof SessionError) return error;
  return errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLargeError(path, error) : damagedError(path, error);
}

const damagedError = (path: string, cause?: unknown): SessionError =>
  new SessionError(
    'not-a-session',
    'Can’t unpack this archived session because the file is damaged or isn’t compressed: {path}',
    { path },
    { cause },
  );

/** Returns the error for an archive in Zstandard, which Node has only since version 22.15. */
export const unsupportedError = (path: string): SessionError =>
  new SessionError('invalid', 'This version of Node.js ({version}) can’t unpack this session’s archive: {path}', {
    version: process.versions.node,
    path,
  });

const MB = 1024 * 1024;

const tooLargeError = (path: string, cause?: unknown): SessionError =>
  new SessionError(
    'invalid',
    'This archived session is too large to unpack (limit: {limit} MB): {path}',
    { limit: MAX_UNPACKED_BYTES / MB, path },
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
