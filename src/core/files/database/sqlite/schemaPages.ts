/**
 * Looks at the pages of a database's schema before SQLite does, which reads all of it in one call that nothing can end: it reads a
 * page again for each reference, so that a few pages with many references keep it busy for ever. It reads the statistics of `ANALYZE`
 * along with the schema. See https://www.sqlite.org/fileformat2.html.
 */
import { CorruptDatabase } from './databaseErrors';

/** The pages of a database. */
export interface Pages {
  /** Bytes of a page. */
  readonly size: number;
  /** Returns all contents of a page, from 1 on, that SQLite might take: that of the file, and those of the log. */
  readonly read: (page: number) => Iterable<Buffer>;
}

/** Bytes of pages and rows. The schema of OpenClaw has about fifty kilobytes. SQLite takes some seconds for a planted one of this size. */
const MAX_SCHEMA = 1024 * 1024;
/** Bytes of a row of the schema. SQLite compares each key of a table with all others. */
const MAX_ROW = 16 * 1024;
/** Bytes of the database's header, which is in front of the first page's own. */
const HEADER = 100;
/** The types of a table's pages: those that refer to others, and those with rows. */
const [INTERIOR, LEAF] = [5, 13];
/** The columns of the schema: the number of a table's first page, and its definition. */
const [ROOT, SQL] = [3, 4];
/** The rows of tables with statistics. SQLite makes no others, and would read such a table however it's defined. */
const STATISTICS = /^CREATE TABLE sqlite_stat[134]\((?:tbl,idx,stat|tbl,idx,neq,nlt,ndlt,sample)\)$/;
/** The beginning of a definition that is so long that the page doesn't have all of it. */
const LONG = /^CREATE (?:VIRTUAL TABLE|TABLE|VIEW|TRIGGER) ["`[]?\w+\W/;

/** @throws {CorruptDatabase} if it's damaged, or so large that SQLite may take very long for it */
export function checkSchema(pages: Pages): void {
  const walk = new SchemaWalk(pages);
  try {
    const statistics = walk.tablesIn(1, statisticsOf);
    for (const root of statistics) walk.tablesIn(root, () => undefined);
  } catch (error) {
    // A place outside of its page.
    throw error instanceof RangeError ? new CorruptDatabase('it’s damaged', { cause: error }) : error;
  }
}

/** A row of a table. */
interface Row {
  /** Bytes. */
  readonly length: number;
  /** False if other pages have more of it. */
  readonly isWhole: boolean;
  readonly beginning: Buffer;
}

class SchemaWalk {
  private readonly seen = new Set<number>();
  private bytes = 0;

  constructor(private readonly pages: Pages) {}

  /** Walks through the pages of a table. Returns what its rows tell: the first pages of other tables. */
  tablesIn(root: number, tableOf: (row: Row) => number | undefined): ReadonlySet<number> {
    const found = new Set<number>();
    const take = (row: Row): void => {
      this.count(row.length);
      const table = tableOf(row);
      if (table !== undefined) found.add(table);
    };
    const next = [root];
    for (let number = next.pop(); number !== undefined; number = next.pop()) {
      if (this.seen.has(number)) throw new CorruptDatabase('it’s damaged');
      this.seen.add(number);
      const children = new Set<number>();
      for (const page of this.pages.read(number)) {
        this.count(page.length);
        for (const child of this.childrenOf(page, number === 1 ? HEADER : 0, take)) children.add(child);
      }
      for (const child of children) next.push(child);
    }
    return found;
  }

  /** Returns the pages that a page refers to. @param take gets its rows */
  private childrenOf(page: Buffer, header: number, take: (row: Row) => void): ReadonlySet<number> {
    const type = page.readUInt8(header);
    // SQLite refuses others, and had others there before if it's in a log.
    if (type !== INTERIOR && type !== LEAF) return new Set();
    const cells = Array.from(
      { length: page.readUInt16BE(header + 3) },
      (_, cell) => page.readUInt16BE(header + (type === INTERIOR ? 12 : 8) + 2 * cell) & (this.pages.size - 1),
    );
    if (type === LEAF) for (const at of cells) take(rowAt(page, at));
    if (type !== INTERIOR) return new Set();
    const children = new Set(cells.map((at) => page.readUInt32BE(at)).concat(page.readUInt32BE(header + 8)));
    if (children.size <= cells.length) throw new CorruptDatabase('it’s damaged');
    return children;
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MAX_SCHEMA) throw new CorruptDatabase('its schema is too large');
  }
}

/** Bytes that a page may not use for rows, and those of its headers around a row. */
const [MAX_RESERVED, ROW_HEADERS] = [255, 35];

function rowAt(page: Buffer, at: number): Row {
  const [length, afterLength] = varintAt(page, at);
  const [, start] = varintAt(page, afterLength);
  const room = page.length - MAX_RESERVED;
  const isWhole = length <= room - ROW_HEADERS;
  // SQLite leaves at least this part of a longer row in its page.
  const here = isWhole ? length : Math.floor(((room - 12) * 32) / 255) - 23;
  return { length, isWhole, beginning: page.subarray(start, start + here) };
}

/** Returns the first page of a table with statistics, if a row of the schema has one. */
function statisticsOf({ beginning, isWhole, length }: Row): number | undefined {
  if (length > MAX_ROW) throw new CorruptDatabase('its schema is too large');
  const text = beginning.toString('latin1');
  const isOfStatistics = /sqlite_stat/i.test(text);
  if (isWhole && !isOfStatistics) return undefined;
  let [value, place] = varintAt(beginning, 0);
  let root = 0;
  for (let column = 0; column < SQL; column++) {
    const [type, next] = varintAt(beginning, place);
    if (column === ROOT && type > 0 && type < 5) root = beginning.readUIntBE(value, type);
    value += sizeOf(type);
    place = next;
  }
  if (!(isOfStatistics ? STATISTICS : LONG).test(text.slice(value))) throw new CorruptDatabase('it’s damaged');
  return isOfStatistics ? root : undefined;
}

/** Returns the bytes of a value by the number of its type. */
const sizeOf = (type: number): number => (type < 12 ? ([0, 1, 2, 3, 4, 6, 8, 8][type] ?? 0) : Math.floor((type - 12) / 2));

/** Returns a number of up to nine bytes, and the place after it. */
function varintAt(bytes: Buffer, at: number): [value: number, next: number] {
  let value = 0;
  for (let place = at; place < at + 8; place++) {
    const byte = bytes.readUInt8(place);
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, place + 1];
  }
  return [value * 256 + bytes.readUInt8(at + 8), at + 9];
}
