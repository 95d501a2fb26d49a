/** A connection for reading a database that the worker writes and that another window may replace. */
import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { clearCount, databasePath, openForReading, type DatabaseLocation } from './database';
import { isDamage } from './databaseErrors';
import { DamagedDatabase } from '../encoding/damagedDatabase';
import { prepareRows, type ResultRow, type RowStatement } from './sqlite/resultRows';

/** Identifies a database and the number of times it was emptied. */
export interface DatabaseGeneration {
  readonly ino: bigint | undefined;
  /** The number of times that everything was removed from it. */
  readonly cleared: number;
}

/** SQLite's cache: a search reads the same pages repeatedly, and lists read each page once. */
export const CACHE_KB = { search: 16_000, list: 2000 } as const;

export class ReadingConnection {
  private database: DatabaseSync | undefined;
  /** The open file's inode; another window may have replaced the file since. */
  private ino: bigint | undefined;
  private readonly prepared = new Map<string, RowStatement>();

  /** @param onClose called when the database is closed, also because another one has replaced it */
  constructor(
    private readonly location: DatabaseLocation,
    private readonly cacheKb: (typeof CACHE_KB)[keyof typeof CACHE_KB],
    private readonly onClose: () => void,
  ) {}

  /** Returns damage as an error of the file that is open, and other errors unchanged. */
  locateDamage(error: unknown): unknown {
    return isDamage(error) ? new DamagedDatabase('The database is damaged.', this.ino, { cause: error }) : error;
  }

  /** `undefined` if there is no usable database. */
  generation(): DatabaseGeneration | undefined {
    const database = this.current();
    return database && { ino: this.ino, cleared: clearCount(database) };
  }

  /** True until the database is closed. */
  isOpen(database: DatabaseSync): boolean {
    return this.database === database;
  }

  close(): void {
    this.database?.close();
    this.database = undefined;
    this.prepared.clear();
    this.onClose();
  }

  /** Queries the open database without checking whether another one has replaced it, which would take longer than a query. */
  again(sql: string, ...values: SQLInputValue[]): ResultRow[] {
    return this.database ? this.query(this.database, sql, ...values) : [];
  }

  all(sql: string, ...values: SQLInputValue[]): ResultRow[] {
    const database = this.current();
    return database ? this.query(database, sql, ...values) : [];
  }

  query(database: DatabaseSync, sql: string, ...values: SQLInputValue[]): ResultRow[] {
    let statement = this.prepared.get(sql);
    if (!statement) this.prepared.set(sql, (statement = prepareRows(database, sql)));
    return statement.all(...values);
  }

  current(): DatabaseSync | undefined {
    const ino = statSync(databasePath(this.location), { bigint: true, throwIfNoEntry: false })?.ino;
    if (this.database && ino === this.ino) return this.database;
    this.close();
    this.ino = ino;
    this.database = openForReading(this.location, this.cacheKb);
    return this.database;
  }
}
