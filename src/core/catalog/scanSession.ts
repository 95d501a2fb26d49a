/** A session file → all that the catalog keeps of it. Read without waiting, in a worker. */
import { closeSync } from 'node:fs';
import { homedir } from 'node:os';
import { crc32 } from 'node:zlib';
import type { Dialect } from '../format/dialect';
import { asString } from '../format/entry';
import { SessionError } from '../format/problem';
import { NeedsWholeFile } from '../format/readErrors';
import { SessionReader } from '../format/reader';
import type { Session } from '../format/session';
import { fileError } from '../files/errors';
import { readNow } from '../files/readNow';
import { openRegularFileNow } from '../files/regularFileNow';
import { fileVersion, type FileVersion } from '../files/sessionFile';
import { labelFacts, type LabelFact } from './facts';
import type { Found } from './foundLines';
import type { TableLine } from './lineTable';
import { readLines, roomToRead, type ReadRoom } from './readLines';
import { NO_MESSAGES, type StoredRow } from './row';
import { ScanSink } from './scanSink';
import { encodeHeads } from './storedHeads';
import { summarize } from './summary';

/** What a file holds, as far as it is stored. */
export interface FileFound extends Found {
  readonly version: FileVersion;
  readonly row: StoredRow;
  /** Whether `words` and `touches` tell only of what came after what was known. */
  readonly grew: boolean;
  readonly labels: readonly LabelFact[];
}

export interface Scanned {
  readonly found: FileFound;
  /** Of a file that was read from its start good only until the room has another file. */
  readonly session: Session;
  /** By this one sees whether the file only grew. */
  readonly mark: string;
  /** All lines, if it did. */
  readonly table?: readonly TableLine[];
}

/** What was known of a file, to go on from. */
export interface Earlier {
  readonly session: Session;
  readonly mark: string;
  readonly table: readonly TableLine[];
  readonly firstMessage: string;
  /** How far the heads reach that are stored: they are written anew only now and then. */
  readonly headsAt: number;
}

/** What is stored of a file. Plain data. */
export interface Packed extends FileFound {
  /** With the mark of the place they reach to; absent where those that are stored shall stay. */
  readonly heads?: { readonly bytes: Uint8Array | null; readonly mark: string };
}

/** Of files from this many bytes on the heads are kept; of those that are known to grow, from fewer. */
const LARGE_FILE = 8 * 1024 * 1024;
const GROWING_FILE = 256 * 1024;
/** Heads are stored anew when the file has grown by this part. */
const GROWTH = 1 / 8;

/** `isKnown`: the file was there before in another state. */
export function pack({ found, session, mark }: Scanned, isKnown: boolean, earlier?: Earlier): Packed {
  const { offset } = session.reading;
  const keep = found.grew && earlier !== undefined && earlier.headsAt > 0 && offset < earlier.headsAt * (1 + GROWTH);
  const bytes = !keep && offset >= (isKnown ? GROWING_FILE : LARGE_FILE) ? encodeHeads(session) : undefined;
  return { ...found, ...(keep ? {} : { heads: { bytes: bytes ?? null, mark } }) };
}

/** Memory for one file after the other. */
export interface ScanRoom {
  readonly read: ReadRoom;
  readonly words: Buffer;
}

export const roomToScan = (): ScanRoom => ({ read: roomToRead(), words: Buffer.allocUnsafe(1024 * 1024) });

export interface ScanOptions {
  readonly dialect: Dialect;
  readonly earlier?: Earlier | undefined;
  readonly room: ScanRoom;
  /** Called between chunks; may throw to end the scan. */
  readonly check: () => void;
}

/** @throws {SessionError} as `readSession`, and what `check` throws. */
export function scanSession(path: string, options: ScanOptions): Scanned {
  let fd: number | undefined;
  try {
    const opened = openRegularFileNow(path);
    fd = opened.fd;
    const version = fileVersion(opened.stats);
    const { earlier } = options;
    if (earlier && version.size >= earlier.session.reading.offset && markOf(fd, earlier.session.reading.offset) === earlier.mark) {
      try {
        return scan(fd, path, version, options, earlier);
      } catch (error) {
        if (!(error instanceof NeedsWholeFile)) throw error;
      }
    }
    return scan(fd, path, version, options);
  } catch (error) {
    throw fileError(error, path);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function scan(fd: number, path: string, version: FileVersion, { dialect, check, room }: ScanOptions, earlier?: Earlier): Scanned {
  const from = earlier?.session;
  const reader = new SessionReader({ path, home: homedir(), rootDialect: dialect }, from);
  const start = from?.reading.offset ?? 0;
  const sink = new ScanSink(reader, room.words, earlier?.firstMessage);
  readLines(fd, from?.reading ?? { offset: 0, line: 0 }, sink, check, room.read);
  sink.end();
  const session = reader.session();
  const { offset } = session.reading;
  const table = earlier?.table.filter((line) => line.offset < start) ?? [];
  const found = sink.foundIn(session, start, table);
  if (!found) return scan(fd, path, version, { dialect, check, room: { ...room, read: { ...room.read, scanner: undefined } } });
  const summary = summarize(session);
  const { parentSession, branchedFrom } = session.header;
  const parent = asString(parentSession) ?? asString(branchedFrom);
  const created = Date.parse(session.header.timestamp);
  const row: StoredRow = {
    id: summary.id,
    cwd: summary.cwd,
    ...(summary.name === undefined ? {} : { name: summary.name }),
    ...(parent === undefined ? {} : { parentSessionPath: parent }),
    created: Number.isNaN(created) ? null : created,
    modified: summary.modified || (Number.isNaN(created) ? version.mtimeMs : created),
    messageCount: summary.messageCount,
    firstMessage: sink.firstMessage ?? NO_MESSAGES,
    dialect: session.dialect,
    problems: summary.problems,
    writable: summary.writable,
    isOld: summary.isOld,
    ...(summary.suspectedTip === undefined ? {} : { suspectedTip: summary.suspectedTip }),
  };
  return {
    found: { ...found, version, row, grew: earlier !== undefined, labels: labelFacts(session) },
    session,
    mark: markOf(fd, offset),
    ...(earlier ? { table } : {}),
  };
}

const MARK = 4096;

/** What stands at a file's beginning and before an offset. */
function markOf(fd: number, offset: number): string {
  const [beginning, end] = [readNow(fd, 0, Math.min(MARK, offset)), readNow(fd, Math.max(0, offset - MARK), Math.min(MARK, offset))];
  return `${crc32(beginning).toString(16)}-${crc32(end).toString(16)}`;
}

/** Whether an error says that the file is gone. */
export const isGone = (error: unknown): boolean => error instanceof SessionError && error.code === 'not-found';
