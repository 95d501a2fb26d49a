/** A database of OpenClaw, read without a lock and without writing. Keeps what was read until the database changes. */
import { defined } from '../../format/entry/defined';
import type { Reading } from './pages/diskRequests';
import { asCorrupt, CorruptDatabase, DatabaseMoved } from './databaseErrors';
import { DatabaseTables } from './databaseTables';
import type { LineEnds, MoreEnds } from './lineEnds';
import { LineReader, type FilledLines, type NewEnds } from './lineReader';
import { PageReader, type Derived } from './pages/pageReader';
import type { ColumnValue } from './pages/record';
import type { StoredSession } from './storedSessions';
import { RowFinder, scanKey, type Table } from './pages/tables';
import { lastLengths, measureLines, readEventTime, readLastEvent, readTranscript, type LastEvent, type Transcript } from './transcript';

/** A session with the places of its events. An archived session has none. */
export interface OpenedSession {
  /** Device and inode of the database. */
  readonly ino: string;
  readonly stored: StoredSession;
  readonly transcript: Transcript;
}

/** A session; `undefined` if it isn't there or has no events; an error if it's damaged. */
export type OpenResult = OpenedSession | CorruptDatabase | undefined;

/** A session with its last event. An archived session has none. */
export interface SessionOutline extends Pick<OpenedSession, 'ino' | 'stored'> {
  readonly last: LastEvent | undefined;
  /** The time at which that was stored, in milliseconds since 1970, if it was asked for. */
  readonly time?: number;
}

export type OutlineResult = SessionOutline | CorruptDatabase | undefined;

export interface SessionList {
  readonly sessions: readonly StoredSession[];
  /** The database's schema, if it isn't one that is known; 0 if it doesn't state any. */
  readonly unknownSchema: number | undefined;
}

export class DatabaseView {
  private readonly pages = new PageReader();
  private readonly tables = new DatabaseTables(this.pages);
  private readonly lines = new LineReader(this.pages);
  private readonly transcripts = new Map<string, Derived<Transcript>>();
  private readonly lasts = new Map<string, Derived<LastEvent | undefined>>();
  private sessions: ReadonlyMap<string, StoredSession> | undefined;

  /** Lists the sessions, with those whose events were archived. */
  list(): Reading<SessionList> {
    return this.run(() => this.listNow());
  }

  /**
   * Returns the sessions with these ids; `undefined` for those that aren't there or have no events, an error for damaged ones.
   *
   * @param isMeasured true to find the ends of all lines; otherwise they are found as lines are read.
   */
  *open(ids: readonly string[], isMeasured = true): Reading<OpenResult[]> {
    const { opened, added, measured } = yield* this.run(() => this.openNow(ids, isMeasured));
    // Only now it's certain that they are of one state of the database.
    for (const [id, transcript] of added) this.transcripts.set(id, transcript);
    for (const more of measured) more.commit();
    return ids.map((id) => opened.get(id));
  }

  /**
   * Returns the facts of sessions and their last events, as `open`, without looking at all of their events.
   *
   * @param isTimed decides whose last event's time is read
   */
  *outline(ids: readonly string[], isTimed: (id: string) => boolean = () => false): Reading<OutlineResult[]> {
    const { outlines, lasts } = yield* this.run(() => this.outlineNow(ids, isTimed));
    for (const [id, last] of lasts) this.lasts.set(id, last);
    return ids.map((id) => outlines.get(id));
  }

  /** Finds the ends of all lines of a session. */
  *measure(opened: OpenedSession): Reading<void> {
    const more = yield* this.run(() => this.measureNow(opened));
    more.commit();
  }

  /** Returns the lengths of a session's last lines; see `transcript`. */
  lastLengths(opened: OpenedSession, bytes: number): Reading<number[]> {
    return this.run(() => this.lastLengthsNow(opened, bytes));
  }

  /** Fills `bytes` with the lines of a session from `position` on. @param ends the ends that are known, and to which those of the lines are added */
  *read(opened: OpenedSession, bytes: Buffer, position: number, ends = opened.transcript.ends): Reading<FilledLines> {
    const { more, ...filled } = yield* this.run(() => this.readNow(opened, bytes, position, ends));
    more.commit();
    return filled;
  }

  /** Returns an archive that the database holds itself. */
  archive(id: string, maxBytes: number): Reading<Buffer | undefined> {
    return this.run(() => this.archiveNow(id, maxBytes));
  }

  /** Drops pages, so that at most some bytes of them are kept. */
  trim(bytes: number): void {
    this.pages.trim(bytes);
  }

  private *archiveNow(id: string, maxBytes: number): Reading<Buffer | undefined> {
    const table = (yield* this.tables.current()).get('session_transcript_cold_archives');
    let rowid: ColumnValue | undefined;
    if (table)
      yield* scanKey(this.pages, table, id, Number.NEGATIVE_INFINITY, (second) => {
        rowid = second;
      });
    if (!table || typeof rowid !== 'number') return undefined;
    const bytes = (yield* new RowFinder(this.pages, table).find(rowid, maxBytes))?.value('archive_blob');
    return Buffer.isBuffer(bytes) ? Buffer.from(bytes) : undefined;
  }

  private *run<T>(work: () => Reading<T>): Reading<T> {
    const result = yield* this.pages.read(work);
    this.tables.confirm();
    return result;
  }

  private *listNow(): Reading<SessionList> {
    const sessions = [...(yield* this.currentSessions()).values()];
    return { sessions, unknownSchema: yield* this.tables.unknownSchema() };
  }

  private *openNow(
    ids: readonly string[],
    isMeasured: boolean,
  ): Reading<{ opened: Map<string, NonNullable<OpenResult>>; added: Map<string, Derived<Transcript>>; measured: MoreEnds[] }> {
    const { ino } = this.pages;
    const sessions = yield* this.currentSessions();
    const events = yield* this.tables.events();
    const opened = new Map<string, NonNullable<OpenResult>>();
    const added = new Map<string, Derived<Transcript>>();
    const measured: MoreEnds[] = [];
    for (const id of ids) {
      const stored = sessions.get(id);
      if (!stored) continue;
      const before = this.transcripts.get(id);
      try {
        const isCurrent = before && before.value.generation === stored.generation && this.pages.holds(before);
        const found = isCurrent ? before : yield* readTranscript(this.pages, events, id, stored.generation, before?.value);
        if (found !== before) added.set(id, found);
        const transcript = found.value;
        if (isMeasured) measured.push(yield* measureLines(this.pages, events, transcript));
        if (transcript.seqs.length > 0 || stored.cold) opened.set(id, { ino, stored, transcript });
      } catch (error) {
        opened.set(id, requireDamage(error));
      }
    }
    return { opened, added, measured };
  }

  private *outlineNow(
    ids: readonly string[],
    isTimed: (id: string) => boolean,
  ): Reading<{ outlines: Map<string, NonNullable<OutlineResult>>; lasts: Map<string, Derived<LastEvent | undefined>> }> {
    const { pages } = this;
    const { ino } = pages;
    const sessions = yield* this.currentSessions();
    const events = yield* this.tables.events();
    const rows = new RowFinder(pages, events);
    const outlines = new Map<string, NonNullable<OutlineResult>>();
    const lasts = new Map<string, Derived<LastEvent | undefined>>();
    for (const id of ids) {
      const stored = sessions.get(id);
      if (!stored) continue;
      try {
        const before = this.lasts.get(id);
        const last = before && pages.holds(before) ? before : yield* pages.derive(() => readLastEvent(pages, events, id));
        if (last !== before) lasts.set(id, last);
        const time = last.value && isTimed(id) ? yield* readEventTime(rows, last.value) : undefined;
        if (last.value || stored.cold) outlines.set(id, { ino, stored, last: last.value, ...defined({ time }) });
      } catch (error) {
        outlines.set(id, requireDamage(error));
      }
    }
    return { outlines, lasts };
  }

  private *measureNow(opened: OpenedSession): Reading<MoreEnds> {
    return yield* measureLines(this.pages, yield* this.eventsOfGeneration(opened), opened.transcript);
  }

  private *lastLengthsNow(opened: OpenedSession, bytes: number): Reading<number[]> {
    return yield* lastLengths(new RowFinder(this.pages, yield* this.eventsOfGeneration(opened)), opened.transcript, bytes);
  }

  private *readNow(opened: OpenedSession, bytes: Buffer, position: number, ends: LineEnds): Reading<FilledLines & NewEnds> {
    const rows = new RowFinder(this.pages, yield* this.eventsOfGeneration(opened));
    const { stored, transcript } = opened;
    return yield* this.lines.fill(rows, { id: stored.id, transcript }, bytes, position, ends);
  }

  /** Returns the table of events. @throws {DatabaseMoved} if those of the session were rewritten since it was opened */
  private *eventsOfGeneration({ stored: { id }, transcript }: OpenedSession): Reading<Table> {
    const sessions = yield* this.currentSessions();
    if (sessions.get(id)?.generation !== transcript.generation) throw new DatabaseMoved();
    return yield* this.tables.events();
  }

  /** Returns the sessions by id, and forgets what is known of others. */
  private *currentSessions(): Reading<ReadonlyMap<string, StoredSession>> {
    const sessions = yield* this.tables.sessions();
    if (sessions === this.sessions) return sessions;
    this.sessions = sessions;
    for (const kept of [this.transcripts, this.lasts]) for (const id of kept.keys()) if (!sessions.has(id)) kept.delete(id);
    return sessions;
  }
}

/** Returns the error of a session whose pages are damaged. @throws any other error */
function requireDamage(error: unknown): CorruptDatabase {
  const damage = asCorrupt(error);
  if (!(damage instanceof CorruptDatabase)) throw error;
  return damage;
}
