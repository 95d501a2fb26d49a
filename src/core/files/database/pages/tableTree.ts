/** Reads the rows of a table: a tree whose leaves have the rows, in the order of their numbers. */
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { Derived, PageReader } from './pageReader';
import { varint, varintEnd } from './numbers';
import { cellAt, TABLE_INTERIOR, TABLE_LEAF, treePage, TreePage, visit, type Cell } from './treePage';

/** A tree of SQLite's largest database isn't deeper. */
const MAX_DEPTH = 24;

/** Finds rows of a table within one state of the database. Rows on the page of the last one are found without a search from the root. */
export class RowCursor {
  private leaf: TreePage | undefined;

  constructor(
    private readonly pages: PageReader,
    private readonly root: number,
  ) {}

  /** Returns a row; `undefined` if there is none. */
  *find(rowid: number): Reading<Cell | undefined> {
    let from = this.root;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const found = this.findKept(rowid, from);
      if (typeof found !== 'number') return found;
      yield* this.pages.page(found);
      // The pages above it may not be kept any more.
      from = found;
    }
    throw new CorruptDatabase('a table is too deep');
  }

  /**
   * Returns a row; `undefined` if there is none; the number of a page that must be read to find it.
   *
   * @param from a page above the row; by default the table's first one
   */
  findKept(rowid: number, from = this.root): Cell | number | undefined {
    const { leaf, pages } = this;
    if (leaf && leaf.count > 0 && rowid >= rowidAt(leaf, 0) && rowid <= rowidAt(leaf, leaf.count - 1)) {
      pages.recordUse(leaf.number);
      return this.cellOf(leaf, rowid);
    }
    let number = from;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const bytes = pages.keptPage(number);
      if (!bytes) return number;
      const page = new TreePage(bytes, number);
      if (page.type === TABLE_LEAF) {
        this.leaf = page;
        return this.cellOf(page, rowid);
      }
      if (page.type !== TABLE_INTERIOR) throw new CorruptDatabase('a table contains an index');
      number = page.child(lowerBound(page.count, (index) => varint(page.bytes, page.cell(index) + 4) < rowid));
    }
    throw new CorruptDatabase('a table is too deep');
  }

  private cellOf(page: TreePage, rowid: number): Cell | undefined {
    const at = lowerBound(page.count, (index) => rowidAt(page, index) < rowid);
    const cell = at < page.count ? cellAt(page.bytes, page.cell(at), true, this.pages.usableSize) : undefined;
    return cell?.rowid === rowid ? cell : undefined;
  }
}

/** Returns the number of a row on a leaf. */
function rowidAt(page: TreePage, index: number): number {
  return varint(page.bytes, varintEnd(page.bytes, page.cell(index)));
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
    for (const child of node.value.children.toReversed()) waiting.push(child);
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
