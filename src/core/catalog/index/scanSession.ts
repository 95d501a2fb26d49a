/** A session file → all that the catalog keeps of it. Read without waiting, in a worker. */
import { closeSync } from 'node:fs';
import { homedir } from 'node:os';
import { crc32 } from 'node:zlib';
import type { Dialect } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { FullReadRequired } from '../../format/parse/readErrors';
import { SessionReader } from '../../format/session/sessionReader';
import type { Session } from '../../format/session/session';
import { fileError } from '../../files/io/fileErrors';
import { readAtSync } from '../../files/io/readAtSync';
import { openRegularFileSync } from '../../files/io/regularFileSync';
import { fileVersion, type FileVersion } from '../../files/read/sessionFile';
import { labelFacts, type LabelFact } from './sessionFacts';
import type { LineIndex } from './buildLineIndex';
import type { TableLine } from '../encoding/lineTable';
import { readLinesSync, createReadBuffers, type ReadBuffers } from './readLinesSync';
import { readableRow, type StoredRow } from '../rows/catalogRow';
import { ScanSink } from './scanSink';
import { encodeHeads } from '../encoding/headCodec';
import { summarize, withFileTime } from '../rows/sessionSummary';

/** What a file holds, as far as it is stored. */
export interface FileIndex extends LineIndex {
  readonly version: FileVersion;
  readonly row: StoredRow;
  /** Whether `words` and `touches` tell only of what came after what was known. */
  readonly isAppend: boolean;
  readonly labels: readonly LabelFact[];
}

export interface ScanResult {
  readonly index: FileIndex;
  /** Of a file that was read from its start good only until the room has another file. */
  readonly session: Session;
  /** By this one sees whether the file only grew. */
  readonly checksum: string;
  /** All lines, if it did. */
  readonly table?: readonly TableLine[];
}

/** What was known of a file, to go on from. */
export interface PreviousScan {
  readonly session: Session;
  readonly checksum: string;
  readonly table: readonly TableLine[];
  readonly firstMessage: string | undefined;
  /** How far the heads reach that are stored: they are written anew only now and then. */
  readonly headsOffset: number;
}

/** What is stored of a file. Plain data. */
export interface IndexRecord extends FileIndex {
  /** With the mark of the place they reach to; absent where those that are stored shall stay. */
  readonly heads?: { readonly bytes: Uint8Array | null; readonly mark: string };
}

/** Of files from this many bytes on the heads are kept; of those that are known to grow, from fewer. */
const LARGE_FILE_BYTES = 8 * 1024 * 1024;
const GROWING_FILE_BYTES = 256 * 1024;
/** Heads are stored anew when the file has grown by this part. */
const HEADS_REWRITE_GROWTH = 1 / 8;

/** `isKnown`: the file was there before in another state. */
export function toIndexRecord({ index: found, session, checksum: mark }: ScanResult, isKnown: boolean, earlier?: PreviousScan): IndexRecord {
  const { offset } = session.readerState;
  const keep = found.isAppend && earlier !== undefined && earlier.headsOffset > 0 && offset < earlier.headsOffset * (1 + HEADS_REWRITE_GROWTH);
  const bytes = !keep && offset >= (isKnown ? GROWING_FILE_BYTES : LARGE_FILE_BYTES) ? encodeHeads(session) : undefined;
  return { ...found, ...(keep ? {} : { heads: { bytes: bytes ?? null, mark } }) };
}

/** Memory for one file after the other. */
export interface ScanBuffers {
  readonly read: ReadBuffers;
  readonly words: Buffer;
}

export const createScanBuffers = (): ScanBuffers => ({ read: createReadBuffers(), words: Buffer.allocUnsafe(1024 * 1024) });

export interface ScanOptions {
  readonly dialect: Dialect;
  readonly previous?: PreviousScan | undefined;
  readonly buffers: ScanBuffers;
  /** Called between chunks; may throw to end the scan. */
  readonly check: () => void;
}

/** @throws {SessionError} as `readSession`, and what `check` throws. */
export function scanSession(path: string, options: ScanOptions): ScanResult {
  let fd: number | undefined;
  try {
    const opened = openRegularFileSync(path);
    fd = opened.fd;
    const version = fileVersion(opened.stats);
    const { previous: earlier } = options;
    if (earlier && version.size >= earlier.session.readerState.offset && boundaryChecksum(fd, earlier.session.readerState.offset) === earlier.checksum) {
      try {
        return scan(fd, path, version, options, earlier);
      } catch (error) {
        if (!(error instanceof FullReadRequired)) throw error;
      }
    }
    return scan(fd, path, version, options);
  } catch (error) {
    throw fileError(error, path);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function scan(fd: number, path: string, version: FileVersion, { dialect, check, buffers: room }: ScanOptions, earlier?: PreviousScan): ScanResult {
  const from = earlier?.session;
  const reader = new SessionReader({ path, home: homedir(), rootDialect: dialect }, from);
  const start = from?.readerState.offset ?? 0;
  const sink = new ScanSink(reader, room.words, earlier?.firstMessage);
  readLinesSync(fd, from?.readerState ?? { offset: 0, line: 0 }, sink, check, room.read);
  sink.end();
  const session = reader.session();
  const { offset } = session.readerState;
  const table = earlier?.table.filter((line) => line.offset < start) ?? [];
  const found = sink.buildIndex(session, start, table);
  if (!found) return scan(fd, path, version, { dialect, check, buffers: { ...room, read: { ...room.read, scanner: undefined } } });
  const row = readableRow(withFileTime(summarize(session), version), sink.firstMessage);
  return {
    index: { ...found, version, row, isAppend: earlier !== undefined, labels: labelFacts(session) },
    session,
    checksum: boundaryChecksum(fd, offset),
    ...(earlier ? { table } : {}),
  };
}

const CHECKSUM_BYTES = 4096;

/** What stands at a file's beginning and before an offset. */
function boundaryChecksum(fd: number, offset: number): string {
  const [beginning, end] = [readAtSync(fd, 0, Math.min(CHECKSUM_BYTES, offset)), readAtSync(fd, Math.max(0, offset - CHECKSUM_BYTES), Math.min(CHECKSUM_BYTES, offset))];
  return `${crc32(beginning).toString(16)}-${crc32(end).toString(16)}`;
}

/** Whether an error says that the file is gone. */
export const isGone = (error: unknown): boolean => error instanceof SessionError && error.code === 'not-found';
