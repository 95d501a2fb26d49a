/** Transcripts that OpenClaw has put aside: JSON Lines with the events among other records, compressed. FORMAT section 7. */
import { createHash, type Hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import { SessionError } from '../../../format/entry/problem';
import { finishSteps } from '../../../format/session/steps';
import { Yielder } from '../../concurrency/eventLoop';
import { unsupportedError } from '../../read/bytes/compressedSession';
import type { FileVersion } from '../../read/versions/fileVersion';
import { EventLines } from './eventLines';
import type { ColdArchive } from '../storedSessions';

/** Bytes of an archive, and what it may unpack to. All of it is held in memory. */
export const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** Unpacking stops as soon as there is more. */
const UNPACK_OPTIONS = { maxOutputLength: MAX_UNPACKED_BYTES, chunkSize: 1024 * 1024 } as const;

/**
 * Identifies the lines of a session's archive, and the session that errors name.
 *
 * @param path that of the session.
 * @param version that of the archive's file; `undefined` if it's missing, or in the database.
 */
export const archiveKey = (path: string, { fileName, sha256, unpackedSize }: ColdArchive, version: FileVersion | undefined): string =>
  JSON.stringify([path, fileName, sha256, unpackedSize, version?.size, version?.mtimeMs, version?.ino]);

/** Returns the folder in which OpenClaw keeps an agent's session files. */
export function sessionFolderOf(database: string): string {
  const folder = dirname(database);
  return basename(folder) === 'agent' ? join(dirname(folder), 'sessions') : folder;
}

/** Returns the path of an archive. @throws {SessionError} `invalid` if its name isn't one of an archive */
export function archivePath(database: string, fileName: string): string {
  if (!/^[a-f0-9]{64}\.jsonl\.zst$/.test(fileName))
    throw new SessionError('invalid', 'The database refers to an invalid archive: {name}', { name: fileName });
  return join(sessionFolderOf(database), 'cold', fileName);
}

/**
 * Unpacks the session's lines piece by piece, on another thread.
 *
 * @param read reads the whole archive; `undefined` if it's missing
 * @throws {SessionError} `not-found`, `invalid` if it isn't what OpenClaw has stored, is too large, or Node can't unpack it.
 */
export async function* unpackArchive(
  path: string,
  archive: ColdArchive,
  read: () => Promise<Buffer | undefined>,
): AsyncGenerator<Buffer, void> {
  const packed = requireArchive(path, archive, await read());
  const pause = new Yielder(undefined);
  const hash = createHash('sha256');
  for (let from = 0; from < packed.length; from += HASHED_BYTES) {
    hash.update(packed.subarray(from, from + HASHED_BYTES));
    await pause.yieldIfDue();
  }
  assertStored(path, archive, packed, hash);
  if (isPlain(archive)) {
    yield packed;
    return;
  }
  const { createZstdDecompress } = zlib;
  if (typeof createZstdDecompress !== 'function') throw unsupportedError(path);
  const decoder = createZstdDecompress({ chunkSize: PIECE_BYTES });
  decoder.end(packed);
  const lines = linesOf(path, archive);
  try {
    // A stream without an encoding has buffers.
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      yield await pause.run(lines.take(piece));
      await pause.yieldIfDue();
    }
  } catch (error) {
    throw error instanceof SessionError ? error : damagedError(path, error);
  }
  yield await pause.run(lines.end());
}

/** Bytes that are hashed, and unpacked, at a time. */
const HASHED_BYTES = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/** The synchronous form of `unpackArchive`, for worker threads. @throws as `unpackArchive`. */
export function unpackArchiveSync(path: string, archive: ColdArchive, bytes: Buffer | undefined): Buffer {
  const packed = requireArchive(path, archive, bytes);
  assertStored(path, archive, packed, createHash('sha256').update(packed));
  if (isPlain(archive)) return packed;
  const { zstdDecompressSync } = zlib;
  if (typeof zstdDecompressSync !== 'function') throw unsupportedError(path);
  let unpacked: Buffer;
  try {
    unpacked = zstdDecompressSync(packed, UNPACK_OPTIONS);
  } catch (error) {
    throw damagedError(path, error);
  }
  const lines = linesOf(path, archive);
  // There are exactly as many bytes, or it's damaged.
  const whole = Buffer.allocUnsafe(archive.unpackedSize);
  let size = 0;
  for (let from = 0; from < unpacked.length; from += PIECE_BYTES)
    size += finishSteps(lines.take(unpacked.subarray(from, from + PIECE_BYTES))).copy(whole, size);
  finishSteps(lines.end()).copy(whole, size);
  return whole;
}

/** Returns the bytes of an archive that is there and, by what the database says, not too large. */
function requireArchive(path: string, { unpackedSize }: ColdArchive, bytes: Buffer | undefined): Buffer {
  if (!bytes) throw new SessionError('not-found', 'This session’s archive is missing: {path}', { path });
  if (unpackedSize < 0 || unpackedSize > MAX_UNPACKED_BYTES) throw damagedError(path);
  return bytes;
}

function assertStored(path: string, archive: ColdArchive, bytes: Buffer, hash: Hash): void {
  if (bytes.length !== archive.size || hash.digest('hex') !== archive.sha256)
    throw new SessionError('invalid', 'This session’s archive isn’t the one that OpenClaw stored: {path}', { path });
}

/** True if the archive is the lines. */
const isPlain = ({ removed }: ColdArchive): boolean => removed?.encoding === 'identity';

const linesOf = (path: string, { unpackedSize, removed }: ColdArchive): EventLines =>
  new EventLines({ events: unpackedSize, records: MAX_UNPACKED_BYTES }, () => damagedError(path), removed !== undefined);

const damagedError = (path: string, cause?: unknown): SessionError =>
  new SessionError('invalid', 'This session’s archive is damaged or too large to read: {path}', { path }, { cause });
