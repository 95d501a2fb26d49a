/** Tables and indexes as trees of pages. The format: https://www.sqlite.org/fileformat2.html#b_tree_pages */
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { Derived, PageReader } from './pageReader';
import { columnPlaces, columnValue, varint, type ColumnValue } from './record';

const [INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF] = [2, 5, 10, 13];
/** A tree of SQLite's largest database isn't deeper. */
const MAX_DEPTH = 24;
/** Bytes of an index entry that are read. */
const MAX_INDEX_ENTRY = 64 * 1024;

/** A record that may continue on other pages. */
export interface Cell {
  readonly rowid: number;
  /** Bytes of the whole record. */
  readonly size: number;
  /** The part of the record that is on the page itself. */
  readonly local: Buffer;
  /** The page on which it continues; 0 if it doesn't. */
  readonly overflow: number;
}

class TreePage {
  private readonly start: number;
  readonly type: number;
  /** The number of cells. */
  readonly count: number;

  constructor(
    readonly bytes: Buffer,
    private readonly number: number,
  ) {
    this.start = number === 1 ? 100 : 0;
    this.type = bytes[this.start]!;
    this.count = bytes.readUInt16BE(this.start + 3);
    if (!this.isInterior && this.type !== INDEX_LEAF && this.type !== TABLE_LEAF)
      throw new CorruptDatabase(`page ${number} belongs to no table`);
    if (this.firstPointer + 2 * this.count > bytes.length) throw this.damage();
  }

  /** Returns the offset of a cell. */
  cell(index: number): number {
    const at = this.bytes.readUInt16BE(this.firstPointer + 2 * index);
    if (at < this.firstPointer || at + 4 > this.bytes.length) throw this.damage();
    return at;
  }

  /** Returns the page before a cell of an interior page, or behind the last one. */
  child(index: number): number {
    return this.bytes.readUInt32BE(index < this.count ? this.cell(index) : this.start + 8);
  }

  private get isInterior(): boolean {
    return this.type === INDEX_INTERIOR || this.type === TABLE_INTERIOR;
  }

  private get firstPointer(): number {
    return this.start + (this.isInterior ? 12 : 8);
  }

  private damage(): CorruptDatabase {
    return new CorruptDatabase(`page ${this.number} is damaged`);
  }
}

function* treePage(pages: PageReader, number: number): Reading<TreePage> {
  return new TreePage(yield* pages.page(number), number);
}

/** Reads the cell of a leaf, or of an index's interior page behind the number of its child. */
function cellAt(bytes: Buffer, at: number, isTable: boolean, usable: number): Cell {
  const [size, afterSize] = varint(bytes, at);
  const [rowid, start] = isTable ? varint(bytes, afterSize) : [0, afterSize];
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const wanted = least + ((size - least) % (usable - 4));
  const length = size <= most ? size : wanted <= most ? wanted : least;
  const end = start + length;
  if (end + (size > most ? 4 : 0) > bytes.length) throw new CorruptDatabase('a record is cut off');
  return { rowid, size, local: bytes.subarray(start, end), overflow: size > most ? bytes.readUInt32BE(end) : 0 };
}

/** Returns the first `length` bytes of a record. */
export function* recordStart(pages: PageReader, cell: Cell, length: number): Reading<Buffer> {
  const wanted = Math.min(length, cell.size);
  if (wanted <= cell.local.length) return cell.local;
  const record = Buffer.allocUnsafe(wanted);
  let filled = cell.local.copy(record);
  // A chain that runs in a circle ends with the record.
  for (let next = cell.overflow; filled < wanted;) {
    const page = yield* pages.page(next);
    filled += page.copy(record, filled, 4, pages.usableSize);
    next = page.readUInt32BE(0);
  }
  return record;
}

/** Returns the row of a table; `undefined` if there is none. */
export function* rowAt(pages: PageReader, root: number, rowid: number): Reading<Cell | undefined> {
  let number = root;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const page = yield* treePage(pages, number);
    const { bytes, type, count } = page;
    if (type === TABLE_LEAF) {
      const at = lowerBound(count, (index) => varint(bytes, varint(bytes, page.cell(index))[1])[0] < rowid);
      const cell = at < count ? cellAt(bytes, page.cell(at), true, pages.usableSize) : undefined;
      return cell?.rowid === rowid ? cell : undefined;
    }
    if (type !== TABLE_INTERIOR) throw new CorruptDatabase('a table contains an index');
    number = page.child(lowerBound(count, (index) => varint(bytes, page.cell(index) + 4)[0] < rowid));
  }
  throw new CorruptDatabase('a table is too deep');
}

/**
 * Passes the rows of a table to `onRow`, in order, until it returns false.
 *
 * @throws {CorruptDatabase} if rows are larger than the database, as those that share their pages.
 */
export function* scanTable(pages: PageReader, root: number, onRow: (cell: Cell) => Reading<boolean>): Reading<void> {
  const visited = new Set<number>();
  const waiting = [root];
  let room = pages.count * pages.usableSize;
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    visit(visited, number);
    const page = yield* treePage(pages, number);
    if (page.type === TABLE_INTERIOR) {
      for (let index = page.count; index >= 0; index--) waiting.push(page.child(index));
      continue;
    }
    if (page.type !== TABLE_LEAF) throw new CorruptDatabase('a table contains an index');
    for (let index = 0; index < page.count; index++) {
      const cell = cellAt(page.bytes, page.cell(index), true, pages.usableSize);
      room -= cell.size;
      if (room < 0) throw new CorruptDatabase('a table is larger than the database');
      if (!(yield* onRow(cell))) return;
    }
  }
}

/** The result of reading a page of a table: the pages below it, or the values of its rows. */
interface TreeNode<T> {
  readonly children: readonly number[];
  readonly values: readonly T[];
  /** Bytes of the rows. */
  readonly size: number;
}

/** The pages of a table by their numbers, in order. */
export type TreeNodes<T> = ReadonlyMap<number, Derived<TreeNode<T>>>;

/**
 * Returns what `toValue` makes of the rows of a table, in order. Reads only the pages that changed since `before`; if there
 * is none, returns `before` itself.
 *
 * @throws {CorruptDatabase} as `scanTable`.
 */
export function* mapTable<T>(
  pages: PageReader,
  root: number,
  before: TreeNodes<T>,
  toValue: (cell: Cell) => Reading<T>,
): Reading<TreeNodes<T>> {
  const nodes = new Map<number, Derived<TreeNode<T>>>();
  const visited = new Set<number>();
  const waiting = [root];
  let room = pages.count * pages.usableSize;
  let isSame = true;
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    visit(visited, number);
    const at = number;
    const known = before.get(at);
    const node = known && pages.holds(known) ? known : yield* pages.derive(() => treeNode(pages, at, toValue));
    isSame &&= node === known;
    nodes.set(at, node);
    room -= node.value.size;
    if (room < 0) throw new CorruptDatabase('a table is larger than the database');
    for (let index = node.value.children.length - 1; index >= 0; index--) waiting.push(node.value.children[index]!);
  }
  return isSame && nodes.size === before.size ? before : nodes;
}

function* treeNode<T>(pages: PageReader, number: number, toValue: (cell: Cell) => Reading<T>): Reading<TreeNode<T>> {
  const page = yield* treePage(pages, number);
  if (page.type === TABLE_INTERIOR)
    return { children: Array.from({ length: page.count + 1 }, (_, index) => page.child(index)), values: [], size: 0 };
  if (page.type !== TABLE_LEAF) throw new CorruptDatabase('a table contains an index');
  const values: T[] = [];
  let size = 0;
  for (let index = 0; index < page.count; index++) {
    const cell = cellAt(page.bytes, page.cell(index), true, pages.usableSize);
    size += cell.size;
    // Before its value is made, which may read all of it.
    if (size > pages.count * pages.usableSize) throw new CorruptDatabase('a table is larger than the database');
    values.push(yield* toValue(cell));
  }
  return { children: [], values, size };
}

/**
 * Passes the entries of an index to `onEntry`, in order.
 *
 * @param compare returns a negative number for entries before the wanted ones, a positive one for those behind them.
 */
export function* scanIndex(
  pages: PageReader,
  root: number,
  compare: (entry: readonly ColumnValue[]) => number,
  onEntry: (entry: readonly ColumnValue[]) => void,
): Reading<void> {
  const visited = new Set<number>();
  const waiting: (number | readonly ColumnValue[])[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'number') {
      onEntry(next);
      continue;
    }
    visit(visited, next);
    const page = yield* treePage(pages, next);
    if (page.type !== INDEX_LEAF && page.type !== INDEX_INTERIOR) throw new CorruptDatabase('an index contains a table');
    const isLeaf = page.type === INDEX_LEAF;
    let [before, end] = [0, page.count];
    while (before < end) {
      const middle = (before + end) >> 1;
      if (compare(yield* indexEntry(pages, page, middle)) < 0) before = middle + 1;
      else end = middle;
    }
    const wanted: (readonly ColumnValue[])[] = [];
    for (let index = before; index < page.count; index++) {
      const entry = yield* indexEntry(pages, page, index);
      if (compare(entry) !== 0) break;
      wanted.push(entry);
    }
    // In reverse order, since the last one that is pushed comes first. Each entry stands between two children.
    for (let index = wanted.length; index >= 0; index--) {
      if (index < wanted.length) waiting.push(wanted[index]!);
      if (!isLeaf) waiting.push(page.child(before + index));
    }
  }
}

function* indexEntry(pages: PageReader, page: TreePage, index: number): Reading<readonly ColumnValue[]> {
  const isLeaf = page.type === INDEX_LEAF;
  const cell = cellAt(page.bytes, page.cell(index) + (isLeaf ? 0 : 4), false, pages.usableSize);
  const record = yield* recordStart(pages, cell, MAX_INDEX_ENTRY);
  return columnPlaces(record).map((place) => columnValue(record, place));
}

/** A page that is reached twice would be read for ever. */
function visit(visited: Set<number>, number: number): void {
  if (visited.has(number)) throw new CorruptDatabase(`page ${number} is in a table twice`);
  visited.add(number);
}

/** Returns the first of `count` indexes that isn't before the wanted one. */
function lowerBound(count: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
