/** A database of OpenClaw, read without a lock and without writing. Keeps what was read until the database changes. */
import { elementAt } from '../../format/entry/lookups';
import type { Reading } from './pages/diskRequests';
import { asCorrupt, CorruptDatabase } from './databaseErrors';
import { PageReader, type Derived } from './pages/pageReader';
import type { ColumnValue } from './pages/record';
import { StoredSessionReader, type StoredSession } from './storedSessions';
import { readTables, RowFinder, scanKey, scanRows, type Table } from './pages/tables';
import { readEvent, readTranscript, type EventDamage, type EventLine, type Transcript } from './transcript';

/** The newest schema that is known. FORMAT section 7. */
const KNOWN_SCHEMA = 23;

interface Cached<T> {
  readonly generation: number;
  readonly value: T;
}

/** A session with the places of its events. An archived session has none. */
export interface OpenedSession {
  /** Device and inode of the database. */
  readonly ino: string;
  readonly stored: StoredSession;
  readonly transcript: Transcript;
}

/** A session; `undefined` if it isn't there or has no events; an error if it's damaged. */
export type OpenResult = OpenedSession | CorruptDatabase | undefined;

export interface SessionList {
  readonly sessions: readonly StoredSession[];
  /** The database's schema, if it isn't one that is known; 0 if it doesn't state any. */
  readonly unknownSchema: number | undefined;
}

/** The result of filling a buffer with lines. */
export interface FilledLines {
  /** Bytes. */
  readonly count: number;
  /** The lines that can't be shown as they were, by their numbers from 1. */
  readonly damaged: ReadonlyMap<number, EventDamage>;
}

export class DatabaseView {
  private readonly pages = new PageReader();
  private readonly stored = new StoredSessionReader(this.pages);
  private readonly transcripts = new Map<string, Derived<Transcript>>();
  private sessions: Cached<ReadonlyMap<string, StoredSession>> | undefined;
  private tables: (Cached<ReadonlyMap<string, Table>> & { readonly cookie: number }) | undefined;
  /** The event of which a part was read last. A large one is read in many parts. */
  private lastEvent: (Cached<EventLine> & { readonly transcript: Transcript; readonly at: number }) | undefined;
  /** True once an attempt that used the tables has succeeded. */
  private isSchemaConfirmed = false;

  /** Lists the sessions, with those whose events were archived. */
  list(): Reading<SessionList> {
    return this.run(() => this.listNow());
  }

  /** Returns the sessions with these ids; `undefined` for those that aren't there or have no events, an error for damaged ones. */
  *open(ids: readonly string[]): Reading<OpenResult[]> {
    const { opened, added } = yield* this.run(() => this.openNow(ids));
    // Only now it's certain that they are of one state of the database.
    for (const [id, transcript] of added) this.transcripts.set(id, transcript);
    return ids.map((id) => opened.get(id));
  }

  /** Fills `bytes` with the lines of a session from `position` on. */
  read(opened: OpenedSession, bytes: Buffer, position: number): Reading<FilledLines> {
    return this.run(() => this.readNow(opened, bytes, position));
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
    const table = (yield* this.currentTables()).get('session_transcript_cold_archives');
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
    this.isSchemaConfirmed = true;
    return result;
  }

  private *listNow(): Reading<SessionList> {
    const tables = yield* this.currentTables();
    const sessions = [...(yield* this.currentSessions()).values()];
    return { sessions, unknownSchema: yield* this.unknownSchema(tables) };
  }

  private *unknownSchema(tables: ReadonlyMap<string, Table>): Reading<number | undefined> {
    const meta = tables.get('schema_meta');
    let version = 0;
    if (meta)
      yield* scanRows(this.pages, meta, (row) => {
        if (row.text('role') === 'agent') version = row.integer('schema_version') ?? 0;
        return version === 0;
      });
    return version === KNOWN_SCHEMA ? undefined : version;
  }

  private *openNow(
    ids: readonly string[],
  ): Reading<{ opened: Map<string, NonNullable<OpenResult>>; added: Map<string, Derived<Transcript>> }> {
    const { ino } = this.pages;
    const sessions = yield* this.currentSessions();
    const events = this.eventsOf(yield* this.currentTables());
    const opened = new Map<string, NonNullable<OpenResult>>();
    const added = new Map<string, Derived<Transcript>>();
    for (const id of ids) {
      const stored = sessions.get(id);
      if (!stored) continue;
      const before = this.transcripts.get(id);
      try {
        const isCurrent = before && before.value.generation === stored.generation && this.pages.holds(before);
        const found = isCurrent ? before : yield* readTranscript(this.pages, events, id, stored.generation, before?.value);
        if (found !== before) added.set(id, found);
        const transcript = found.value;
        if (transcript.seqs.length > 0 || stored.cold) opened.set(id, { ino, stored, transcript });
      } catch (error) {
        const damage = asCorrupt(error);
        if (!(damage instanceof CorruptDatabase)) throw error;
        opened.set(id, damage);
      }
    }
    return { opened, added };
  }

  private *readNow({ stored: { id }, transcript }: OpenedSession, bytes: Buffer, position: number): Reading<FilledLines> {
    const events = this.eventsOf(yield* this.currentTables());
    const { ends } = transcript;
    const rows = new RowFinder(this.pages, events);
    const damaged = new Map<number, EventDamage>();
    let filled = 0;
    for (let at = firstEnding(ends, position); at < ends.length && filled < bytes.length; at++) {
      const line = yield* this.event(rows, id, transcript, at);
      if (line.damage) damaged.set(at + 1, line.damage);
      filled += line.bytes.copy(bytes, filled, position + filled - (ends[at - 1] ?? 0));
      if (filled < bytes.length) bytes[filled++] = NEWLINE;
    }
    return { count: filled, damaged };
  }

  private *event(rows: RowFinder, id: string, transcript: Transcript, at: number): Reading<EventLine> {
    const { generation } = this.pages;
    const last = this.lastEvent;
    if (last?.generation === generation && last.transcript === transcript && last.at === at) return last.value;
    const value = yield* readEvent(rows, id, transcript, at);
    this.lastEvent = { generation, transcript, at, value };
    return value;
  }

  private *currentTables(): Reading<ReadonlyMap<string, Table>> {
    const { generation } = this.pages;
    // The cookie changes with the schema.
    const cookie = (yield* this.pages.page(1)).readUInt32BE(40);
    const known = this.tables;
    if (known && (known.generation === generation || (this.isSchemaConfirmed && known.cookie === cookie))) return known.value;
    const value = yield* readTables(this.pages);
    this.tables = { generation, cookie, value };
    this.isSchemaConfirmed = false;
    return value;
  }

  private *currentSessions(): Reading<ReadonlyMap<string, StoredSession>> {
    const { generation } = this.pages;
    if (this.sessions?.generation === generation) return this.sessions.value;
    const value = yield* this.stored.read(yield* this.currentTables());
    this.sessions = { generation, value };
    for (const id of this.transcripts.keys()) if (!value.has(id)) this.transcripts.delete(id);
    return value;
  }

  private eventsOf(tables: ReadonlyMap<string, Table>): Table {
    const events = tables.get('transcript_events');
    if (!events) throw new CorruptDatabase('it has no table of session events');
    return events;
  }
}

const NEWLINE = 10;

/** Returns the index of the first line that ends behind the position. */
function firstEnding(ends: readonly number[], position: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elementAt(ends, middle) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
