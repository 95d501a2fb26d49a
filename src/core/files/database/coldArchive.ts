/** Transcripts that OpenClaw has put aside: JSON Lines with the events among other records, compressed. FORMAT section 7. */
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import { asString, isObject } from '../../format/entry/entry';
import { SessionError } from '../../format/entry/problem';
import type { FileVersion } from '../read/fileVersion';
import type { ColdArchive } from './storedSessions';

/** Bytes of an archive, and what it may unpack to. All of it is held in memory. */
export const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

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
 * Returns the bytes of the session's lines.
 *
 * @param bytes the whole archive; `undefined` if it's missing
 * @throws {SessionError} `not-found`, `invalid` if it isn't what OpenClaw has stored, is too large, or Node can't unpack it.
 */
export function unpackArchive(path: string, archive: ColdArchive, bytes: Buffer | undefined): Buffer {
  if (!bytes) throw new SessionError('not-found', 'This session’s archive is missing: {path}', { path });
  const isStored = bytes.length === archive.size && createHash('sha256').update(bytes).digest('hex') === archive.sha256;
  if (!isStored) throw new SessionError('invalid', 'This session’s archive isn’t the one that OpenClaw stored: {path}', { path });
  const { zstdDecompressSync } = zlib;
  if (typeof zstdDecompressSync !== 'function')
    throw new SessionError('invalid', 'This version of Node.js ({version}) can’t unpack this session’s archive: {path}', {
      version: process.versions.node,
      path,
    });
  let records: Buffer;
  try {
    records = zstdDecompressSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    throw new SessionError('invalid', 'This session’s archive is damaged or too large to read: {path}', { path }, { cause: error });
  }
  const lines = Buffer.concat(eventsIn(records));
  if (lines.length !== archive.unpackedSize)
    throw new SessionError('invalid', 'This session’s archive is damaged or too large to read: {path}', { path });
  return lines;
}

function eventsIn(records: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let from = 0, end; from < records.length; from = end + 1) {
    const lineBreak = records.indexOf(NEWLINE, from);
    end = lineBreak < 0 ? records.length : lineBreak;
    const event = eventOf(records.toString('utf8', from, end));
    if (event !== undefined) found.push(Buffer.from(`${event}\n`));
  }
  return found;
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
