/** Scans a session file for all that the catalog keeps of it, for worker threads. */
import { homedir } from 'node:os';
import { crc32 } from 'node:zlib';
import type { Dialect } from '../../format/entry/dialect';
import type { JsonObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { turnEnd } from '../../format/ends/turnEnd';
import { FullReadRequired } from '../../format/parse/readErrors';
import { readLine } from '../../format/parse/readLine';
import { SessionReader } from '../../format/session/read/sessionReader';
import type { OutsideFacts } from '../../format/session/outsideFacts';
import type { Session } from '../../format/session/session';
import { endOfLines } from '../../format/session/fileState';
import { isArchivedSession } from '../../format/session/archivedSession';
import { fileError } from '../../files/io/fileErrors';
import type { FileVersion } from '../../files/read/versions/fileVersion';
import { openForScanning, readThreadBytes, type OpenedThreadBytes, type ThreadBytes } from '../../files/sync/threadBytes';
import { defined } from '../../format/values/defined';
import { labelFacts, type LabelFact } from './sessionFacts';
import type { LineIndex } from './buildLineIndex';
import type { TableLine } from '../encoding/lineTable';
import { readLines, createReadBuffers, type ReadBuffers } from './readLines';
import { readableRow, type StoredRow } from '../rows/catalogRow';
import { readFamilyFacts, type FamilyFacts } from '../rows/familyFacts';
import { LineWordsWriter } from './words/lineWords';
import { Pulse, type PulseMemory } from '../../files/concurrency/pulse';
import { RepeatedWords } from './words/repeatedWords';
import { ScanSink } from './scanSink';
import { summarize, withFileTime, withTurnEnd } from '../rows/sessionSummary';

/** The part of a scan's result that is stored. Plain data. */
export interface FileIndex extends LineIndex {
  readonly version: FileVersion;
  readonly row: StoredRow;
  /** True if `words`, `lines`, `answers` and `touches` are added to the stored ones instead of replacing them. */
  readonly isAppend: boolean;
  readonly labels: readonly LabelFact[];
}

export interface ScanResult {
  readonly index: FileIndex;
  /** If the file was read from its start, valid only until the buffers are used for another file. */
  readonly session: Session;
  /** Identifies the file's content up to the session's offset; see `boundaryChecksum`. */
  readonly checksum: string;
  /** All lines. */
  readonly table: readonly TableLine[];
}

/** The state of a file's last scan, from which the next one continues if the file only grew. */
export interface PreviousScan {
  readonly session: Session;
  readonly checksum: string;
  readonly table: readonly TableLine[];
  readonly firstMessage: string | undefined;
  readonly family: FamilyFacts;
}

/** Memory that a thread reuses from file to file, and its pulse. */
export interface ScanBuffers {
  readonly read: ReadBuffers;
  readonly words: Buffer;
  readonly repeated: RepeatedWords;
  readonly pulse: Pulse;
}

/** @param pulse memory for the thread's pulse, by which another thread watches it */
export const createScanBuffers = (pulse?: PulseMemory): ScanBuffers => ({
  read: createReadBuffers(),
  words: Buffer.allocUnsafe(1024 * 1024),
  repeated: new RepeatedWords(),
  pulse: new Pulse(pulse),
});

export interface ScanOptions {
  readonly dialect: Dialect;
  readonly previous?: PreviousScan | undefined;
  readonly buffers: ScanBuffers;
  /**
   * The words of files of at least this size in bytes are left for `wordsOf`, except for archives and databases. By
   * default all words are read.
   */
  readonly leaveWordsFrom?: number;
  /** Called between chunks; may throw to end the scan. */
  readonly check: () => void;
}

/** The buffers belong to one scan at a time. @throws {SessionError} like `readSession`; and whatever `check` throws */
export async function scanSession(path: string, options: ScanOptions): Promise<ScanResult> {
  const { pulse } = options.buffers;
  let opened: OpenedThreadBytes | undefined;
  pulse.begin(path);
  try {
    opened = openForScanning(path);
    const { file } = opened;
    const { previous } = options;
    const end = previous && endOfLines(previous.session).offset;
    if (previous && end !== undefined && opened.version.size >= end && (await boundaryChecksum(file, end)) === previous.checksum) {
      try {
        return await scan(opened, path, options, previous);
      } catch (error) {
        if (!(error instanceof FullReadRequired)) throw error;
      }
    }
    return await scan(opened, path, options);
  } catch (error) {
    throw fileError(error, path);
  } finally {
    await opened?.file.close();
    pulse.end();
  }
}

/** True for archives and databases, which would have to be unpacked again for their words. */
const isPacked = (path: string, facts: OutsideFacts | undefined): boolean => facts !== undefined || isArchivedSession(path);

async function scan(opened: OpenedThreadBytes, path: string, options: ScanOptions, previous?: PreviousScan): Promise<ScanResult> {
  const { dialect, buffers, leaveWordsFrom = Infinity } = options;
  const check = (): void => {
    buffers.pulse.step();
    options.check();
  };
  const from = previous?.session;
  const { file, facts, problems } = opened;
  const reader = new SessionReader({ path, home: homedir(), rootDialect: dialect, ...defined({ facts }) }, from);
  const begin = from ? endOfLines(from) : { offset: 0, line: 0 };
  const start = begin.offset;
  const isLeft = !isPacked(path, facts) && opened.version.size >= leaveWordsFrom;
  const words = isLeft ? undefined : new LineWordsWriter(buffers.words, buffers.repeated, buffers.read.scanner);
  const sink = new ScanSink(reader, words, previous?.firstMessage);
  await readLines(file, begin, sink, check, buffers.read);
  reader.report(problems());
  const session = reader.session();
  const { offset } = endOfLines(session);
  const table = previous?.table.filter((line) => line.offset < start) ?? [];
  const found = sink.index(session, start, table);
  // Read only now: the version of a session in a database is known once its lines were read.
  const { version } = opened;
  const read = async (head: { readonly offset: number; readonly length: number }): Promise<JsonObject | undefined> =>
    parsedLine(await readThreadBytes(file, head.offset, head.length));
  const family = await readFamilyFacts(session, read, previous?.family);
  const summary = withTurnEnd(withFileTime(summarize(session), version), await turnEnd(session, read));
  const row = readableRow({ ...summary, ...family }, sink.firstMessage);
  return {
    index: { ...found, version, row, isAppend: previous !== undefined, labels: labelFacts(session) },
    session,
    checksum: await boundaryChecksum(file, offset),
    table,
  };
}

/** The object of a line that was read before. `undefined` if it isn't one any more. */
function parsedLine(bytes: Buffer): JsonObject | undefined {
  const read = readLine(bytes.toString('utf8'));
  return read.kind === 'objects' ? read.objects[0]?.value : undefined;
}

const CHECKSUM_BYTES = 4096;

/** The checksum of a file's first bytes and of the bytes before an offset. If it is equal, the file most likely only grew. */
async function boundaryChecksum(file: ThreadBytes, offset: number): Promise<string> {
  const length = Math.min(CHECKSUM_BYTES, offset);
  const beginning = await readThreadBytes(file, 0, length);
  const end = await readThreadBytes(file, offset - length, length);
  return `${crc32(beginning).toString(16)}-${crc32(end).toString(16)}`;
}

/** True for the error of a file that doesn't exist. */
export const isGone = (error: unknown): boolean => error instanceof SessionError && error.code === 'not-found';
