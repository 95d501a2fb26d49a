/**
 * A database of OpenClaw, read by SQLite a part at a time: each part in one state of the database, which isn't locked between
 * them. Requests are steps, so that the extension host can pause between the parts. Keeps what was read until it changes.
 */
import type { Steps } from '../../format/session/steps';
import { DatabaseConnection } from './sqlite/databaseConnection';
import { CorruptDatabase, DatabaseBusy, readingError } from './sqlite/databaseErrors';
import { isSameState, isSettled, takeStamps, type DatabaseStamps } from './sqlite/databaseStamps';
import { missingNames } from './sqlite/databaseTables';
import { Filling, type FilledLines, type NumberedLine } from './lines/filling';
import { KnownLines, type FoundLine } from './lines/knownLines';
import { newestRecap } from './recaps';
import type { SessionProgress } from '../../format/session/sessionProgress';
import { readRegistry } from './registry';
import { measureArchive } from './lines/removedArchive';
import { readProgress } from './storedProgress';
import { StoredSessionReader, type StoredSession } from './storedSessions';
import {
  assertGeneration,
  hasEvent,
  lastLines,
  LINES_AT_ONCE,
  measureLines,
  readArchiveBytes,
  readGeneration,
  readLastEvent,
  readLines,
  seqOfLine,
  type EventRange,
  type LastEvent,
  type Transcript,
} from './lines/transcript';

/** A session with its events. An archived session has none. */
export interface OpenedSession {
  /** Device and inode of the database. */
  readonly ino: string;
  readonly stored: StoredSession;
  readonly transcript: Transcript;
  readonly progress?: SessionProgress | undefined;
}

/** A session; `undefined` if it isn't there or has no events; an error if it's damaged. */
export type OpenResult = OpenedSession | CorruptDatabase | undefined;

/** A session with its last event. An archived session has none. */
export interface SessionOutline extends Pick<OpenedSession, 'ino' | 'stored'> {
  readonly last: LastEvent | undefined;
}

type OutlineResult = SessionOutline | CorruptDatabase | undefined;

export interface SessionList {
  readonly sessions: readonly StoredSession[];
  /** Tables and columns of OpenClaw that the database doesn't have. */
  readonly missing: readonly string[];
}

/** Sessions whose last events are read in one state of the database. */
const SESSIONS_AT_ONCE = 200;

export class DatabaseView {
  /** The path without links. */
  private path = '';
  private connection: DatabaseConnection | undefined;
  private known: { readonly stamps: DatabaseStamps; readonly sessions: ReadonlyMap<string, StoredSession> } | undefined;
  private readonly transcripts = new Map<string, Transcript>();
  /** The line of which a part was read last. A large one is read in many parts. */
  private kept: (NumberedLine & { readonly transcript: Transcript }) | undefined;

  /** To be called before each request. @param path the present path without links */
  moveTo(path: string): void {
    if (path !== this.path) this.close();
    this.path = path;
  }

  /** Closes the connection. What was read is kept. */
  close(): void {
    this.connection?.close();
    this.connection = undefined;
  }

  /** Returns the newest recap of a session, from oh-my-pi's history. */
  *recap(id: string): Steps<string | undefined> {
    yield;
    return this.inState((connection) => newestRecap(connection, id));
  }

  /** Returns the paths of databases that a registry names. @param most the number of paths */
  *registered(most: number): Steps<string[]> {
    yield;
    return this.inState((connection) => readRegistry(connection, most));
  }

  /** Lists the sessions, with those whose events were archived. */
  *list(): Steps<SessionList> {
    const sessions = [...(yield* this.sessions()).values()];
    return { sessions, missing: this.inState((connection) => missingNames(connection.tables())) };
  }

  /**
   * Returns the sessions with these ids; `undefined` for those that aren't there or have no events, an error for damaged ones.
   *
   * @param isMeasured true to find the places of all lines; otherwise they are found as lines are read.
   */
  *open(ids: readonly string[], isMeasured = true): Steps<OpenResult[]> {
    const found = yield* this.inTurn(ids, (connection, listed) => {
      const transcript = currentTranscript(connection, listed, this.transcripts.get(listed.id));
      const stored = transcript.last ? listed : measureArchive(connection, listed);
      if (!transcript.last && !stored.cold) return undefined;
      // Whoever measures sessions needs no more than their versions.
      return { ino: connection.ino, stored, transcript, progress: isMeasured ? undefined : readProgress(connection, stored) };
    });
    const opened: OpenResult[] = [];
    for (const one of found) opened.push(one && !(one instanceof CorruptDatabase) ? yield* this.openOne(one, isMeasured) : one);
    return opened;
  }

  /** Returns the facts of sessions and their last events, as `open`, without looking at all of their events. */
  *outline(ids: readonly string[]): Steps<OutlineResult[]> {
    return yield* this.inTurn(ids, (connection, stored) => {
      const last = readLastEvent(connection, stored.id);
      return last || stored.cold ? { ino: connection.ino, stored, last } : undefined;
    });
  }

  /** Finds the places of all lines of a session. */
  *measure({ stored, transcript }: OpenedSession): Steps<void> {
    const { last } = transcript;
    if (last) yield* this.measureUpTo({ id: stored.id, last }, transcript, transcript.lines, Infinity);
  }

  /** Returns the last lines of a session that have a number of bytes together. */
  *lastLines({ stored, transcript }: OpenedSession, bytes: number): Steps<FoundLine[]> {
    const { last } = transcript;
    yield;
    return last ? this.inStateOf(stored.id, transcript, (connection) => lastLines(connection, { id: stored.id, last }, bytes)) : [];
  }

  /** Returns the `seq` of a line of a session. @param line from 0 */
  *seqOfLine({ stored: { id }, transcript }: OpenedSession, line: number): Steps<number> {
    const { last } = transcript;
    yield;
    return last ? this.inStateOf(id, transcript, (connection) => seqOfLine(connection, { id, last }, line)) : 0;
  }

  /** Fills `bytes` with the lines of a session from `position` on. @param lines the known places, to which those of the lines are added */
  *read({ stored: { id }, transcript }: OpenedSession, bytes: Buffer, position: number, lines = transcript.lines): Steps<FilledLines> {
    const { last } = transcript;
    if (!last) return { count: 0, damaged: new Map() };
    yield* this.measureUpTo({ id, last }, transcript, lines, position);
    return this.fill({ id, last }, transcript, bytes, position, lines);
  }

  /** Returns an archive that the database holds itself. */
  *archive(id: string, maxBytes: number): Steps<Buffer | undefined> {
    const generation = (yield* this.sessions()).get(id)?.cold?.removed?.generation;
    return this.inState((connection) => readArchiveBytes(connection, id, maxBytes, generation));
  }

  private *openOne(opened: OpenedSession, isMeasured: boolean): Steps<OpenResult> {
    this.transcripts.set(opened.stored.id, opened.transcript);
    try {
      // Without a generation, the size is the only sign of a rewritten event.
      if (isMeasured || opened.stored.generation === undefined) yield* this.measure(opened);
      return opened;
    } catch (error) {
      return requireDamage(error, this.path);
    }
  }

  /** Does some reading for each of some sessions, many in one state of the database. */
  private *inTurn<T>(
    ids: readonly string[],
    work: (connection: DatabaseConnection, stored: StoredSession) => T,
  ): Steps<(T | CorruptDatabase | undefined)[]> {
    const sessions = yield* this.sessions();
    const results: (T | CorruptDatabase | undefined)[] = [];
    const tryOne = (connection: DatabaseConnection, stored: StoredSession): T | CorruptDatabase => {
      try {
        return work(connection, stored);
      } catch (error) {
        return requireDamage(error, this.path);
      }
    };
    for (let from = 0; from < ids.length; from += SESSIONS_AT_ONCE) {
      const some = ids.slice(from, from + SESSIONS_AT_ONCE).map((id) => sessions.get(id));
      results.push(...this.inState((connection) => some.map((stored) => stored && tryOne(connection, stored))));
      yield;
    }
    return results;
  }

  /** Finds the places of lines up to an offset. */
  private *measureUpTo(range: EventRange, transcript: Transcript, lines: KnownLines, offset: number): Steps<void> {
    while (lines.end < offset && lines.lastSeq < range.last.seq) {
      const { next, lastSeq } = lines;
      const { found, size } = this.inStateOf(range.id, transcript, (connection) => ({
        found: measureLines(connection, range, lastSeq),
        size: connection.size(),
      }));
      lines.add(next, found, size);
      if (found.length < LINES_AT_ONCE) break;
      yield;
    }
  }

  private fill(range: EventRange, transcript: Transcript, bytes: Buffer, position: number, lines: KnownLines): FilledLines {
    const { filling, size } = this.inStateOf(range.id, transcript, (connection) => {
      const started = new Filling(lines, bytes, position);
      const isCut = this.kept?.transcript === transcript && this.kept.number === started.first && position > started.begin;
      const kept = isCut ? this.kept?.line : undefined;
      if (!kept || started.take(kept)) readLines(connection, range, kept?.seq ?? started.after, (line) => started.take(line));
      return { filling: started, size: connection.size() };
    });
    lines.add(filling.first, filling.found, size);
    this.kept = filling.cut && { transcript, ...filling.cut };
    return filling;
  }

  /** Returns the sessions by id. */
  private *sessions(): Steps<ReadonlyMap<string, StoredSession>> {
    const stamps = takeStamps(this.path);
    const { known } = this;
    if (known && isSettled(known.stamps) && isSameState(known.stamps, stamps)) return known.sessions;
    const reader = new StoredSessionReader();
    while (this.inState((connection) => reader.readNext(connection))) yield;
    const sessions = yield* reader.sessions();
    this.known = { stamps, sessions };
    for (const id of this.transcripts.keys()) if (!sessions.has(id)) this.transcripts.delete(id);
    return sessions;
  }

  /** Reads of a session in one state of the database. @throws {DatabaseMoved} if it was rewritten since it was opened */
  private inStateOf<T>(id: string, transcript: Transcript, work: (connection: DatabaseConnection) => T): T {
    return this.inState((connection) => {
      assertGeneration(connection, id, transcript);
      return work(connection);
    });
  }

  /**
   * Reads in one state of the database.
   *
   * @throws {DatabaseBusy} if it's locked, was just written without a log, or was replaced or written meanwhile
   * @throws {CorruptDatabase}
   */
  private inState<T>(work: (connection: DatabaseConnection) => T): T {
    let outcome: { readonly value: T } | { readonly error: unknown };
    try {
      const connection = this.connect();
      outcome = { value: connection.inTransaction(() => work(connection)) };
    } catch (error) {
      outcome = { error };
    }
    // Files that changed can look like anything.
    const isCurrent = this.connection?.isCurrent() ?? true;
    if (!isCurrent || 'error' in outcome) this.close();
    if (!isCurrent) throw new DatabaseBusy();
    if ('error' in outcome) throw readingError(outcome.error, this.path);
    return outcome.value;
  }

  private connect(): DatabaseConnection {
    if (this.connection?.isCurrent() === true) return this.connection;
    this.close();
    const stamps = takeStamps(this.path);
    // Another write may leave the same stamps.
    if (!stamps.log && !isSettled(stamps)) throw new DatabaseBusy();
    return (this.connection = new DatabaseConnection(this.path, stamps));
  }
}

/** Returns the error of a session whose pages are damaged. @throws any other error */
function requireDamage(error: unknown, path: string): CorruptDatabase {
  const damage = readingError(error, path);
  if (!(damage instanceof CorruptDatabase)) throw damage;
  return damage;
}

/** Returns the events of a session with the places that are known. @throws {DatabaseBusy} if it was rewritten since its facts were read */
function currentTranscript(connection: DatabaseConnection, { id, generation }: StoredSession, before: Transcript | undefined): Transcript {
  if (readGeneration(connection, id) !== generation) throw new DatabaseBusy();
  const last = readLastEvent(connection, id);
  if (generation !== undefined && last && before?.last && before.generation === generation) {
    if (before.last.seq === last.seq && before.last.rowid === last.rowid) return before;
    if (hasEvent(connection, id, before.last)) return { generation, last, lines: before.lines };
  }
  return { generation, last, lines: new KnownLines() };
}
