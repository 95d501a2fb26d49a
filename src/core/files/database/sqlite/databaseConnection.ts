/** A connection to a database of OpenClaw that can only read. */
import { pathToFileURL } from 'node:url';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { disableTrustedSchema, loadSqlite } from '../../io/loadSqlite';
import { prepareRows, type ResultRow, type RowStatement } from '../../io/sqliteRows';
import { CorruptDatabase, DatabaseBusy } from './databaseErrors';
import { withPages } from './databasePages';
import { areSameFiles, isSameState, isSettled, takeStamps, type DatabaseStamps } from './databaseStamps';
import { checkSchema } from './schemaPages';
import { readTables, type Tables } from './databaseTables';

/** Bytes of the header of a database. SQLite takes a smaller file for an empty database, and deletes its log. */
const HEADER = 100;

export class DatabaseConnection {
  private readonly database: DatabaseSync;
  private readonly prepared = new Map<string, RowStatement>();
  private known: { readonly schema: unknown; readonly tables: Tables } | undefined;

  /**
   * Opens a database. Without a log, SQLite takes it for one that nobody writes, so it creates no files and takes no locks;
   * the caller compares the stamps.
   *
   * @param path without links
   * @throws {CorruptDatabase}, SQLite's errors
   */
  constructor(
    private readonly path: string,
    private readonly stamps: DatabaseStamps,
  ) {
    if (stamps.main.size < HEADER) throw new CorruptDatabase('it isn’t an SQLite database');
    const { DatabaseSync } = loadSqlite();
    this.database = new DatabaseSync(`${uriOf(path)}?${stamps.log ? 'mode=ro' : 'immutable=1'}`, { readOnly: true });
    try {
      this.checkSchema();
      disableTrustedSchema(this.database);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Device and inode. */
  get ino(): string {
    return this.stamps.main.ino;
  }

  /** True if the connection reads the files that are there now: without a log, only in the same state. */
  isCurrent(): boolean {
    const now = takeStamps(this.path);
    return this.stamps.log ? areSameFiles(now, this.stamps) : isSameState(now, this.stamps);
  }

  /** Does some reading in one state of the database, which is locked meanwhile. */
  inTransaction<T>(work: () => T): T {
    this.database.exec('BEGIN');
    try {
      return work();
    } finally {
      this.database.exec('COMMIT');
    }
  }

  /** Returns the tables as of the current transaction. */
  tables(): Tables {
    const [schema] = this.all('PRAGMA main.schema_version')[0] ?? [];
    if (this.known && this.known.schema === schema) return this.known.tables;
    const [encoding] = this.all('PRAGMA encoding')[0] ?? [];
    if (encoding !== 'UTF-8') throw new CorruptDatabase('its texts aren’t UTF-8');
    const tables = readTables((sql, ...values) => this.all(sql, ...values));
    this.known = { schema, tables };
    return tables;
  }

  /** The bytes of the current state. */
  size(): number {
    const [pages] = this.all('PRAGMA main.page_count')[0] ?? [];
    const [bytes] = this.all('PRAGMA main.page_size')[0] ?? [];
    return Number(pages) * Number(bytes);
  }

  all(sql: string, ...values: SQLInputValue[]): ResultRow[] {
    return this.prepare(sql).all(...values);
  }

  /** Returns the rows one after the other. The next one is read when it's asked for. */
  iterate(sql: string, ...values: SQLInputValue[]): Iterable<ResultRow> {
    return this.prepare(sql).iterate(...values);
  }

  close(): void {
    this.database.close();
  }

  private checkSchema(): void {
    try {
      withPages(this.path, this.stamps, checkSchema);
    } catch (error) {
      const now = takeStamps(this.path);
      // Pages that were written meanwhile don't fit together.
      throw isSameState(now, this.stamps) && isSettled(now) ? error : new DatabaseBusy('', { cause: error });
    }
  }

  private prepare(sql: string): RowStatement {
    let statement = this.prepared.get(sql);
    if (!statement) this.prepared.set(sql, (statement = prepareRows(this.database, sql)));
    return statement;
  }
}

/** Returns a path as SQLite takes it. A network folder of Windows is a part of the path there, and not a host. */
const uriOf = (path: string): string => pathToFileURL(path).href.replace(/^file:\/\/(?=[^/])/, 'file:////');
