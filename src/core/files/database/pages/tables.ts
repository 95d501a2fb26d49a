/** The tables of a database by name, and their rows by column names. Views, triggers and virtual tables are never used. */
import { mapTable, scanTable, RowCursor, type TreeNodes } from './tableTree';
import { recordStart, type Cell, type RecordRoom } from './treePage';
import { lastEntry, scanIndex, type EntryOrder, type IndexEntry } from './indexTree';
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { PageReader } from './pageReader';
import { columnPlaces, columnValue, headerLength, isBlob, isText, type ColumnPlace, type ColumnValue } from './record';

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

/** A row, with its columns in the order of the table. */
export class TableRow {
  constructor(
    private readonly table: Table,
    private readonly record: Buffer,
    private readonly places: readonly ColumnPlace[],
  ) {}

  /** Returns a column's value; `null` if there is no such column, or its value is too large. */
  value(name: string): ColumnValue {
    const place = this.place(name);
    return place ? columnValue(this.record, place) : null;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  integer(name: string): number | undefined {
    const value = this.value(name);
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
  }

  bytes({ offset, length }: ColumnPlace): Buffer {
    return this.record.subarray(offset, offset + length);
  }

  place(name: string): ColumnPlace | undefined {
    return this.places[this.table.columns.get(name) ?? -1];
  }
}

/** Returns the database's tables by name. */
export function* readTables(pages: PageReader): Reading<ReadonlyMap<string, Table>> {
  const tables = new Map<string, Table>();
  const indexes = new Map<string, number>();
  let count = 0;
  yield* scanTable(pages, 1, function* (cell) {
    if (++count > MAX_OBJECTS) throw new CorruptDatabase('it has too many tables');
    const record = yield* recordStart(pages, cell, MAX_DEFINITION);
    const [type, name, table, root, sql] = columnPlaces(record).map((place) => columnValue(record, place));
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

/**
 * Passes the rows of a table to `onRow`, in order, until it returns false. A row holds whole pages in memory.
 *
 * @param length bytes that are read of a row; its larger columns behind them are left out
 */
export function* scanRows(pages: PageReader, table: Table, onRow: (row: TableRow) => boolean, length = MAX_RECORD): Reading<void> {
  yield* scanTable(pages, table.root, function* (cell) {
    return onRow(yield* readRow(pages, table, cell, length));
  });
}

/** Returns what `toValue` makes of the rows of a table; see `mapTable`. @param length as for `scanRows` */
export function* mapRows<T>(
  pages: PageReader,
  table: Table,
  before: TreeNodes<T>,
  toValue: (row: TableRow) => T,
  length = MAX_RECORD,
): Reading<TreeNodes<T>> {
  return yield* mapTable(pages, table.root, before, function* (cell) {
    return toValue(yield* readRow(pages, table, cell, length));
  });
}

/** Reads a row, of a larger record only the first `length` bytes. @param room as for `recordStart` */
function* readRow(pages: PageReader, table: Table, cell: Cell, length: number, room?: RecordRoom): Reading<TableRow> {
  let record = yield* recordStart(pages, cell, length, room);
  if (headerLength(record) > record.length) record = yield* recordStart(pages, cell, MAX_RECORD, room);
  return new TableRow(table, record, columnPlaces(record));
}

/** Finds rows by their numbers. Neighbors are found without a search from the root. */
export class RowFinder {
  private readonly cursor: RowCursor;

  constructor(
    private readonly pages: PageReader,
    private readonly table: Table,
  ) {
    this.cursor = new RowCursor(pages, table.root);
  }

  /** Returns a row; `undefined` if there is none with this number. @param length as for `scanRows` @param room as for `recordStart` */
  *find(rowid: number, length: number, room?: RecordRoom): Reading<TableRow | undefined> {
    const cell = yield* this.cursor.find(rowid);
    return cell && (yield* readRow(this.pages, this.table, cell, length, room));
  }
}

/**
 * Passes the second and third columns of the primary key's index to `onEntry`, of the entries whose first column is `key`, from
 * the value `from` of the second one on. The last column is the row's number.
 */
export function* scanKey(
  pages: PageReader,
  table: Table,
  key: string,
  from: number,
  onEntry: (second: ColumnValue, third: ColumnValue) => void,
): Reading<void> {
  yield* scanIndex(pages, keyIndexOf(table), keyOrder(key, from), (entry) => onEntry(...behindKey(entry)));
}

/** Returns the last of the entries that `scanKey` passes; `undefined` if there is none. */
export function* lastOfKey(pages: PageReader, table: Table, key: string): Reading<[ColumnValue, ColumnValue] | undefined> {
  const entry = yield* lastEntry(pages, keyIndexOf(table), keyOrder(key, Number.NEGATIVE_INFINITY));
  return entry && behindKey(entry);
}

function keyIndexOf({ keyIndex }: Table): number {
  if (keyIndex === undefined) throw new CorruptDatabase('it has an index that isn’t known');
  return keyIndex;
}

function behindKey({ record, places }: IndexEntry): [second: ColumnValue, third: ColumnValue] {
  const [, second, third] = places;
  return [second ? columnValue(record, second) : null, third ? columnValue(record, third) : null];
}

/** Returns how an index's entry is ordered in relation to the first one of a key. Strings aren't made: it runs for each entry. */
function keyOrder(key: string, from: number): EntryOrder {
  const wanted = Buffer.from(key);
  return ({ record, places: [first, second] }) => {
    // SQLite sorts empty values and numbers before texts, and bytes behind them.
    if (!first || !isText(first)) return first && isBlob(first) ? 1 : -1;
    const end = first.offset + first.length;
    if (end > record.length) return -1;
    const order = record.compare(wanted, 0, wanted.length, first.offset, end);
    if (order !== 0 || !second) return order;
    const value = columnValue(record, second);
    return typeof value === 'number' && value < from ? -1 : 0;
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
