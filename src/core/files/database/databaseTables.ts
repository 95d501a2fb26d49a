/** The tables of OpenClaw's database, and its sessions without their events, kept until they change. FORMAT section 7. */
import { CorruptDatabase } from './databaseErrors';
import type { Reading } from './pages/diskRequests';
import type { PageReader } from './pages/pageReader';
import { readTables, scanRows, type Table } from './pages/tables';
import { StoredSessionReader, type StoredSession } from './storedSessions';

/** The newest schema that is known. FORMAT section 7. */
const KNOWN_SCHEMA = 23;

/** A value as of a generation of the `PageReader`. */
interface Cached<T> {
  readonly generation: number;
  readonly value: T;
}

export class DatabaseTables {
  private readonly stored: StoredSessionReader;
  private tables: (Cached<ReadonlyMap<string, Table>> & { readonly cookie: number }) | undefined;
  private known: Cached<ReadonlyMap<string, StoredSession>> | undefined;
  private isConfirmed = false;

  constructor(private readonly pages: PageReader) {
    this.stored = new StoredSessionReader(pages);
  }

  /** To be called once an attempt that used the tables has succeeded. */
  confirm(): void {
    this.isConfirmed = true;
  }

  /** Returns the tables by name. */
  *current(): Reading<ReadonlyMap<string, Table>> {
    const { generation } = this.pages;
    // The cookie changes with the schema.
    const cookie = (yield* this.pages.page(1)).readUInt32BE(40);
    const known = this.tables;
    if (known && (known.generation === generation || (this.isConfirmed && known.cookie === cookie))) return known.value;
    const value = yield* readTables(this.pages);
    this.tables = { generation, cookie, value };
    this.isConfirmed = false;
    return value;
  }

  /** Returns the table of events. @throws {CorruptDatabase} if there is none */
  *events(): Reading<Table> {
    const events = (yield* this.current()).get('transcript_events');
    if (!events) throw new CorruptDatabase('it has no table of session events');
    return events;
  }

  /** Returns the sessions by id. */
  *sessions(): Reading<ReadonlyMap<string, StoredSession>> {
    const { generation } = this.pages;
    if (this.known?.generation === generation) return this.known.value;
    const value = yield* this.stored.read(yield* this.current());
    this.known = { generation, value };
    return value;
  }

  /** Returns the database's schema, if it isn't the known one; 0 if it doesn't state any. */
  *unknownSchema(): Reading<number | undefined> {
    const meta = (yield* this.current()).get('schema_meta');
    let version = 0;
    if (meta)
      yield* scanRows(this.pages, meta, (row) => {
        if (row.text('role') === 'agent') version = row.integer('schema_version') ?? 0;
        return version === 0;
      });
    return version === KNOWN_SCHEMA ? undefined : version;
  }
}
