/**
 * Reads a session file: as a whole, incrementally after it grew, and the bodies of single entries. Nothing here writes.
 */
import { homedir } from 'node:os';
import { defined } from '../../format/values/defined';
import type { Dialect } from '../../format/entry/dialect';
import type { Entry, SessionHeader } from '../../format/entry/entry';
import { problem } from '../../format/entry/problem';
import { parseEntrySteps } from '../../format/entry/parseEntry';
import { FullReadRequired } from '../../format/parse/readErrors';
import { isArchivedSession } from '../../format/session/archivedSession';
import { requireEntry } from '../../format/session/requireEntry';
import type { ReaderOptions } from '../../format/session/read/objectCollector';
import type { OutsideFacts } from '../../format/session/outsideFacts';
import { SessionReader } from '../../format/session/read/sessionReader';
import { finishSteps, type Steps } from '../../format/session/steps';
import type { EntryHead } from '../../format/entry/entryHead';
import type { Session } from '../../format/session/session';
import type { FileVersion } from './versions/fileVersion';
import { endOfLines, hasFacts, resumePoint, type ResumePoint } from '../../format/session/fileState';
import type { ByteSource } from '../io/byteSource';
import { fileError } from '../io/fileErrors';
import { LineSplitter } from './bytes/lineSplitter';
import { changedWhileReadingError, parseEntryBytes } from './bytes/entryBytes';
import { Yielder } from '../concurrency/eventLoop';
import { readAt } from '../io/readAt';
import { scanLines } from './scanLines';
import { openSessionBytes, openSessionLines, type SessionBytes, type SessionLines } from './bytes/sessionBytes';

export { fileVersion, type FileVersion } from './versions/fileVersion';
export { findFileVersion, sessionFileVersion } from './versions/findFileVersion';

/** Options for reading a session file. */
export interface ReadOptions {
  /** Aborts the read; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * The root's dialect, which applies if the file's content doesn't reveal its own. `pi` by default. FORMAT section 1.
   */
  readonly dialect?: Dialect;
  /** The home folder, which rows abbreviate to `~`. By default the home folder of this user. */
  readonly home?: string;
  /** Stands for the header of a file without one. */
  readonly madeHeader?: SessionHeader;
}

/**
 * Reads a session's heads. Opens the file for reading only and changes no byte of it. Memory grows with the number of
 * entries, not with their size. FORMAT section 3.
 *
 * @returns the session; irregular lines are in its `problems`.
 * @throws {SessionError} `not-found`, `not-a-session` or `permission`.
 * @throws the signal's reason if aborted.
 */
export async function readSession(path: string, options: ReadOptions = {}): Promise<Session> {
  return withFile(path, openSessionLines, async ({ file, facts, problems }) => {
    const reader = new SessionReader(readerOptions(path, options, facts));
    await scanLines(file, { offset: 0, line: 0 }, reader, options.signal);
    reader.report(problems());
    if (options.madeHeader) reader.report([problem('no-header', {})]);
    return reader.session();
  });
}

/**
 * Returns the session as it is now, reading only the part that was appended. A file that was shortened, replaced or
 * changed at its beginning (a title) is read again completely. FORMAT section 3.
 *
 * Doesn't detect a change after the beginning that keeps the size, or a change only in the middle: compare {@link fileVersion} for
 * those. That's also why the type of the file isn't checked before it's opened; the open handle refuses anything but a regular
 * file.
 *
 * @param session an earlier state of the file, from {@link readSession} or this function.
 * @param version the version of the file, if it was found before.
 * @returns the same value if nothing was appended, and a database has the same facts about the session.
 * @throws {SessionError} as {@link readSession}.
 * @throws the signal's reason if aborted.
 */
export async function followSession(session: Session, options: ReadOptions = {}, version?: FileVersion): Promise<Session> {
  const from = resumePoint(session);
  const following = { ...options, dialect: options.dialect ?? session.dialect };
  try {
    const found = await withFile(
      session.path,
      (path) => openSessionBytes(path, { isKnownRegular: true, found: version }),
      async ({ file, size, facts, problems }) => {
        const reader = new SessionReader(readerOptions(session.path, following, facts), from.session);
        return readGrown(file, size, { session, from, facts, reader, problems, signal: options.signal });
      },
    );
    return found ?? (await readSession(session.path, options));
  } catch (error) {
    if (error instanceof FullReadRequired) return readSession(session.path, options);
    throw error;
  }
}

/**
 * Bytes: an append up to this size is read together with the bytes before it. A larger one is read in chunks, so that
 * the event loop runs in between.
 */
const SMALL_APPEND_BYTES = 256 * 1024;

/** The scanner reads a whole file at least this many times as fast as appended lines are parsed. */
const SCANNER_SPEED = 4;

interface FollowState {
  readonly session: Session;
  /** The place from which the reader continues. */
  readonly from: ResumePoint;
  readonly facts: OutsideFacts | undefined;
  readonly reader: SessionReader;
  readonly problems: SessionBytes['problems'];
  readonly signal: AbortSignal | undefined;
}

/**
 * Passes the appended part to the reader. Returns `undefined` if the file must be read again completely: it did more
 * than grow, or it grew by much.
 */
async function readGrown(
  file: ByteSource,
  size: number,
  { session, from, facts, reader, problems, signal }: FollowState,
): Promise<Session | undefined> {
  const { offset, beginning, ending } = from;
  if (size === session.size && hasFacts(session, facts)) {
    // A title may have been overwritten in place. Archives and databases then have another version.
    const isAsBefore = facts !== undefined || isArchivedSession(session.path) || (await beginsWith(file, beginning));
    return isAsBefore ? session : undefined;
  }
  if (size < session.size || offset !== from.session.size) return undefined;
  const appended = size - offset;
  const before = Math.min(offset, ending.length * BYTES_PER_UNIT + 1);
  const isLittle = appended <= SMALL_APPEND_BYTES;
  if (!isLittle && appended * SCANNER_SPEED > size) return undefined;
  const [hasBeginning, tail] = await Promise.all([
    beginsWith(file, beginning),
    readAt(file, offset - before, before + (isLittle ? appended : 0)),
  ]);
  signal?.throwIfAborted();
  // The beginning is the same, and so is the line before the place where reading continues.
  const onlyGrew = offset === 0 || (hasBeginning && tail.toString('utf8', 0, before).endsWith(`${ending}\n`));
  if (!onlyGrew) return undefined;
  if (isLittle) {
    const lines = new LineSplitter(from, reader);
    await new Yielder(signal).run(lines.take(tail, before, tail.length));
    await new Yielder(signal).run(lines.end());
  } else await scanLines(file, from, reader, signal);
  // Lines before were read again for the comparison.
  reader.report(problems().filter(({ line = 0 }) => line > from.line));
  return reader.session();
}

const beginsWith = async (file: ByteSource, text: string): Promise<boolean> =>
  (await readAt(file, 0, text.length * BYTES_PER_UNIT)).toString('utf8').startsWith(text);

/** Returns the session with whole lines appended to it, without access to the disk. */
export function withAppendedLines(session: Session, text: string): Session {
  const reader = new SessionReader(readerOptions(session.path, { dialect: session.dialect }), session);
  let { offset, line } = endOfLines(session);
  for (const each of text.split('\n').slice(0, -1)) {
    const length = Buffer.byteLength(each);
    finishSteps(reader.add(each, { line: ++line, offset, length, hasLineBreak: true }));
    offset += length + 1;
  }
  return reader.session();
}

/**
 * Reads whole entries by their offsets, with the names, ids and parents of version 3. Reads in slices of up to 4 MB,
 * between which the event loop runs. FORMAT section 2.
 *
 * @param ids ids of entries of the session.
 * @returns the entries in the order of `ids`.
 * @throws {SessionError} `unknown-entry`; `changed` if the file no longer contains an entry at its place; as {@link
 * readSession} if the file can't be opened.
 * @throws the signal's reason if aborted.
 */
export async function readBodies(session: Session, ids: readonly string[], signal?: AbortSignal): Promise<Entry[]> {
  const heads = ids.map((id) => requireEntry(session, id));
  if (heads.length === 0) return [];
  return withFile(session.path, openSessionLines, async ({ file }) => {
    const entries: Entry[] = [];
    const pause = new Yielder(signal);
    for (const run of runs(heads)) {
      signal?.throwIfAborted();
      const { offset } = run[0];
      const last = run.at(-1) ?? run[0];
      const bytes = await readAt(file, offset, last.offset + last.length - offset);
      for (const head of run) {
        await pause.yieldIfDue();
        const from = head.offset - offset;
        entries.push(await pause.run(bodyOf(bytes.subarray(from, from + head.length), head, session)));
      }
    }
    return entries;
  });
}

/**
 * Bodies that are close to each other are read in one call of up to this many bytes, across gaps of at most `RUN_GAP`
 * bytes.
 */
const RUN_BYTES = 4 * 1024 * 1024;
const RUN_GAP = 16 * 1024;

function runs(heads: readonly EntryHead[]): [EntryHead, ...EntryHead[]][] {
  const found: [EntryHead, ...EntryHead[]][] = [];
  let end = 0;
  for (const head of heads) {
    const run = found.at(-1);
    const near = run && head.offset >= end && head.offset - end <= RUN_GAP && head.offset + head.length - run[0].offset <= RUN_BYTES;
    if (near) run.push(head);
    else found.push([head]);
    end = head.offset + head.length;
  }
  return found;
}

function* bodyOf(bytes: Buffer, head: EntryHead, session: Session): Steps<Entry> {
  const { value } = yield* parseEntryBytes(bytes, head, session);
  if (value['type'] !== head.type && head.type.length < 100) throw changedWhileReadingError(session, head.line);
  return yield* parseEntrySteps(value, head);
}

/** Opens the session for reading, closes it in any case, and maps errors to `SessionError`. */
async function withFile<T, O extends SessionLines>(
  path: string,
  open: (path: string) => Promise<O>,
  work: (opened: O) => Promise<T>,
): Promise<T> {
  let opened: O | undefined;
  try {
    opened = await open(path);
    return await work(opened);
  } catch (error) {
    throw fileError(error, path);
  } finally {
    await opened?.file.close();
  }
}

/** UTF-8 needs at most three bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3;

function readerOptions(path: string, options: ReadOptions, facts?: OutsideFacts): ReaderOptions {
  return {
    path,
    home: options.home ?? homedir(),
    ...defined({ rootDialect: options.dialect, facts, madeHeader: options.madeHeader }),
  };
}
