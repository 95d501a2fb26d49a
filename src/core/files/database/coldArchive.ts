/** Transcripts that OpenClaw has put aside: JSON Lines with the events among other records, compressed. FORMAT section 7. */
import { createHash, type Hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { asString, isObject } from '../../format/entry/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { Yielder } from '../concurrency/eventLoop';
import type { FileVersion } from '../read/fileVersion';
import type { ColdArchive } from './storedSessions';

/** Bytes of an archive, and what it may unpack to. All of it is held in memory. */
export const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** Unpacking stops as soon as there is more. */
const UNPACK_OPTIONS = { maxOutputLength: MAX_UNPACKED_BYTES } as const;

/**
 * Identifies the lines of an archive.
 *
 * @param version that of its file; `undefined` if it's missing, or in the database.
 */
export const archiveKey = ({ sha256, unpackedSize }: ColdArchive, version: FileVersion | undefined): string =>
  JSON.stringify([sha256, unpackedSize, version?.size, version?.mtimeMs, version?.ino]);

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
 * Returns the bytes of the session's lines. The archive is unpacked on another thread, and what else takes long is done in
 * parts, between which the event loop runs.
 *
 * @param bytes the whole archive; `undefined` if it's missing
 * @throws {SessionError} `not-found`, `invalid` if it isn't what OpenClaw has stored, is too large, or Node can't unpack it.
 */
export async function unpackArchive(path: string, archive: ColdArchive, bytes: Buffer | undefined): Promise<Buffer> {
  const packed = requireArchive(path, bytes);
  const pause = new Yielder(undefined);
  const hash = createHash('sha256');
  for (let from = 0; from < packed.length; from += HASHED_BYTES) {
    hash.update(packed.subarray(from, from + HASHED_BYTES));
    await pause.yieldIfDue();
  }
  assertStored(path, archive, packed, hash);
  const { zstdDecompress } = zlib;
  if (typeof zstdDecompress !== 'function') throw unsupportedError(path);
  // Node's types have the overload without options last, which is the one that `promisify` takes.
  const records = await promisify(zstdDecompress as UnpackCallback)(packed, UNPACK_OPTIONS).catch((error: unknown) => {
    throw damagedError(path, error);
  });
  const events: Buffer[] = [];
  for (const event of eventsIn(records)) {
    events.push(event);
    await pause.yieldIfDue();
  }
  return linesOf(path, archive, events);
}

/** The overload with options. */
type UnpackCallback = (bytes: Buffer, options: typeof UNPACK_OPTIONS, done: (error: Error | null, unpacked: Buffer) => void) => void;

/** Bytes that are hashed at a time. */
const HASHED_BYTES = 1024 * 1024;

/** The synchronous form of `unpackArchive`, for worker threads. @throws as `unpackArchive`. */
export function unpackArchiveSync(path: string, archive: ColdArchive, bytes: Buffer | undefined): Buffer {
  const packed = requireArchive(path, bytes);
  assertStored(path, archive, packed, createHash('sha256').update(packed));
  const { zstdDecompressSync } = zlib;
  if (typeof zstdDecompressSync !== 'function') throw unsupportedError(path);
  let records: Buffer;
  try {
    records = zstdDecompressSync(packed, UNPACK_OPTIONS);
  } catch (error) {
    throw damagedError(path, error);
  }
  return linesOf(path, archive, [...eventsIn(records)]);
}

function requireArchive(path: string, bytes: Buffer | undefined): Buffer {
  if (!bytes) throw new SessionError('not-found', 'This session’s archive is missing: {path}', { path });
  return bytes;
}

function assertStored(path: string, archive: ColdArchive, bytes: Buffer, hash: Hash): void {
  if (bytes.length !== archive.size || hash.digest('hex') !== archive.sha256)
    throw new SessionError('invalid', 'This session’s archive isn’t the one that OpenClaw stored: {path}', { path });
}

function linesOf(path: string, archive: ColdArchive, events: readonly Buffer[]): Buffer {
  const lines = Buffer.concat(events);
  if (lines.length !== archive.unpackedSize) throw damagedError(path);
  return lines;
}

const unsupportedError = (path: string): SessionError =>
  new SessionError('invalid', 'This version of Node.js ({version}) can’t unpack this session’s archive: {path}', {
    version: process.versions.node,
    path,
  });

const damagedError = (path: string, cause?: unknown): SessionError =>
  new SessionError('invalid', 'This session’s archive is damaged or too large to read: {path}', { path }, { cause });

/** Returns the lines of the events, each with its line break. */
function* eventsIn(records: Buffer): Generator<Buffer> {
  for (let from = 0, end; from < records.length; from = end + 1) {
    const lineBreak = records.indexOf(NEWLINE, from);
    end = lineBreak < 0 ? records.length : lineBreak;
    const event = eventOf(records.toString('utf8', from, end));
    if (event !== undefined) yield Buffer.from(`${event}\n`);
  }
}

const NEWLINE = 10;

function eventOf(record: string): string | undefined {
  try {
    const value: unknown = JSON.parse(record);
    const row = isObject(value) && value['kind'] === 'event' ? value['row'] : undefined;
    return isObject(row) ? asString(row['event_json'])?.replaceAll('\n', ' ') : undefined;
  } catch {
    // Then the length of all events is wrong, which is reported.
    return undefined;
  }
}
