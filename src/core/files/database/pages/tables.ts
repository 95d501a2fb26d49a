/** The tables of a database by name, and their rows by column names. Views, triggers and virtual tables are never used. */
import { mapTable, scanTable, RowCursor, type TreeNodes } from './tableTree';
import { keptRecordStart, recordStart, type Cell, type RecordRoom } from './treePage';
import { lastEntry, scanIndex, type EntryOrder } from './indexTree';
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { PageReader } from './pageReader';
import { headerLength, RecordColumns, type ColumnValue } from './record';

/** Bytes of a table's definition, and of a record that is read whole. Larger values are left out. */
const MAX_DEFINITION = 256 * 1024;
const MAX_RECORD = 1024 * 1024;
/** Bytes of a row that always hold its columns’ sizes, and the columns before large ones. */
export const ROW_START = 512;
/** Tables and indexes that a database may have. OpenClaw's has about two hundred. */
const MAX_OBJECTS = 10_000;

export interface Table {
  readonly root: number;
  /** The place of each column in a record, by its name in lower case. */
  readonly columns: ReadonlyMap<string, number>;
  /** The first page of the index that SQLite makes of the primary key. */
  readonly keyIndex?: number;
}

/** The rows of a table, one after the other, with the columns by name. */
export class TableRow {
  private readonly columns = new RecordColumns();

  constructor(private readonly table: Table) {}

  /** Reads the next row. @param record its record, or the beginning of that, with at least its header */
  read(record: Buffer): this {
    this.columns.read(record);
    return this;
  }

  /** Returns a column's value; `null` if there is no such column, or its value is too large. */
  value(name: string): ColumnValue {
    return this.columns.value(this.column(name));
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  integer(name: string): number | undefined {
    const value = this.columns.number(this.column(name));
    return Number.isSafeInteger(value) ? value : undefined;
  }

  /** True if a column has this text, in UTF-8. */
  hasText(name: string, text: Buffer): boolean {
    return this.columns.compareText(this.column(name), text) === 0;
  }

  /** Returns the number of bytes of a text; `undefined` if the column has none. */
  textLength(name: string): number | undefined {
    const column = this.column(name);
    return this.columns.isText(column) ? this.columns.length(column) : undefined;
  }

  /** Returns the number of bytes of a value; `undefined` if there is no such column. */
  valueLength(name: string): number | undefined {
    const column = this.column(name);
    return this.columns.has(column) ? this.columns.length(column) : undefined;
  }

  isBlob(name: string): boolean {
    return this.columns.isBlob(this.column(name));
  }

  /** Returns the bytes of a column, as far as they were read. */
  bytes(name: string): Buffer {
    return this.columns.bytesOf(this.column(name));
  }

  private column(name: string): number {
    return this.table.columns.get(name) ?? -1;
  }
}

/** Returns the database's tables by name. */
export function* readTables(pages: PageReader): Reading<ReadonlyMap<string, Table>> {
  const tables = new Map<string, Table>();
  const indexes = new Map<string, number>();
  const columns = new RecordColumns();
  let count = 0;
  yield* scanTable(pages, 1, function* (cell) {
    if (++count > MAX_OBJECTS) throw new CorruptDatabase('it has too many tables');
    columns.read(yield* recordStart(pages, cell, MAX_DEFINITION));
    const [type, name, table, root, sql] = [0, 1, 2, 3, 4].map((column) => columns.value(column));
    if (typeof name !== 'string' || typeof root !== 'number' || root < 1) return true;
    if (type === 'index' && name === `sqlite_autoindex_${String(table)}_1`) indexes.set(String(table), root);
    if (type === 'table' && typeof sql === 'string' && /^CREATE TABLE/i.test(sql)) tables.set(name, { root, columns: columnsOf(sql) });
    return true;
  });
  for (const [name, keyIndex] of indexes) {
    const table = tables.get(name);
    if (table) tables.set(name, { ...table, keyIndex });
  }
  return tables;
}

/** Passes the rows of a table to `onRow`, in order, until it returns false. A row is valid until the call returns. */
export function* scanRows(pages: PageReader, table: Table, onRow: (row: TableRow) => boolean): Reading<void> {
  const row = new TableRow(table);
  yield* scanTable(pages, table.root, function* (cell) {
    return onRow(row.read(yield* rowStart(pages, cell, MAX_RECORD)));
  });
}

/**
 * Returns what `toValue` makes of the rows of a table; see `mapTable`.
 *
 * @param length bytes that are read of a row; columns that begin after them are left out
 */
export function* mapRows<T>(
  pages: PageReader,
  table: Table,
  before: TreeNodes<T>,
  toValue: (row: TableRow) => T,
  length = MAX_RECORD,
): Reading<TreeNodes<T>> {
  const row = new TableRow(table);
  return yield* mapTable(pages, table.root, before, function* (cell) {
    return toValue(row.read(yield* rowStart(pages, cell, length)));
  });
}

/** Reads the first `length` bytes of a row's record, or more if its header is longer. @param room as for `recordStart` */
function* rowStart(pages: PageReader, cell: Cell, length: number, room?: RecordRoom): Reading<Buffer> {
  const record = yield* recordStart(pages, cell, length, room);
  return headerLength(record) > record.length ? yield* recordStart(pages, cell, MAX_RECORD, room) : record;
}

/** Finds rows by their numbers. */
export class RowFinder {
  private readonly cursor: RowCursor;
  private readonly row: TableRow;

  constructor(
    private readonly pages: PageReader,
    table: Table,
  ) {
    this.cursor = new RowCursor(pages, table.root);
    this.row = new TableRow(table);
  }

  /**
   * Returns a row, which is valid until the next one is found; `undefined` if there is none with this number.
   *
   * @param length as for `mapRows`
   * @param room as for `recordStart`
   */
  *find(rowid: number, length: number, room?: RecordRoom): Reading<TableRow | undefined> {
    const cell = yield* this.cursor.find(rowid);
    return cell && this.row.read(yield* rowStart(this.pages, cell, length, room));
  }

  /** Returns the same row if nothing must be read for it; `undefined` for any other. A plain function, because it runs for each row. */
  findKept(rowid: number, length: number, room?: RecordRoom): TableRow | undefined {
    const cell = this.cursor.findKept(rowid);
    const record = typeof cell === 'object' && keptRecordStart(this.pages, cell, length, room);
    return record && headerLength(record) <= record.length ? this.row.read(record) : undefined;
  }
}

/**
 * Passes the second and third columns of the primary key's index to `onEntry`, of the entries whose first column is `key`, from
 * the value `from` of the second one on. A column that is no number is `undefined`. The last column is the row's number.
 */
export function* scanKey(
  pages: PageReader,
  table: Table,
  key: string,
  from: number,
  onEntry: (second: number | undefined, third: number | undefined) => void,
): Reading<void> {
  yield* scanIndex(pages, keyIndexOf(table), keyOrder(key, from), (entry) => onEntry(entry.number(1), entry.number(2)));
}

/** Returns the last of the entries that `scanKey` passes; `undefined` if there is none. */
export function* lastOfKey(pages: PageReader, table: Table, key: string): Reading<[number | undefined, number | undefined] | undefined> {
  const entry = yield* lastEntry(pages, keyIndexOf(table), keyOrder(key, Number.NEGATIVE_INFINITY));
  return entry && [entry.number(1), entry.number(2)];
}

function keyIndexOf({ keyIndex }: Table): number {
  if (keyIndex === undefined) throw new CorruptDatabase('it has an index that isn’t known');
  return keyIndex;
}

/** Returns how an index's entry is ordered in relation to the first one of a key. */
function keyOrder(key: string, from: number): EntryOrder {
  const wanted = Buffer.from(key);
  return (entry) => {
    const order = entry.compareText(0, wanted);
    if (order !== 0) return order;
    const second = entry.number(1);
    return second !== undefined && second < from ? -1 : 0;
  };
}

/** Words that begin a constraint instead of a column. */
const CONSTRAINT = /^(constraint|primary|unique|check|foreign)$/i;

/** Returns the places of the columns that a `CREATE TABLE` statement defines. */
function columnsOf(sql: string): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  let depth = 0;
  let isStart = false;
  for (const [token] of sql.matchAll(TOKENS)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue;
    if (token === '(') {
      isStart = ++depth === 1;
      continue;
    }
    if (token === ')') depth--;
    else if (isStart && depth === 1) {
      const name = /^["'`[]/.test(token) ? token.slice(1, -1) : token;
      if (!CONSTRAINT.test(token)) columns.set(name.toLowerCase(), columns.size);
    }
    isStart = token === ',' && depth === 1;
  }
  return columns;
}

/** A comment or a quoted name that isn't closed ends with the statement. */
const TOKENS = /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*|"[^"]*"?|'[^']*'?|`[^`]*`?|\[[^\]]*\]?|[\w$]+|[(),]/g;
