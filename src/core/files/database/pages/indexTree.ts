/** Reads the entries of an index: a tree that has them on all its pages, in their order. */
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { PageReader } from './pageReader';
import { columnPlaces, type ColumnPlace } from './record';
import { cellAt, INDEX_INTERIOR, INDEX_LEAF, recordStart, treePage, visit, type Cell, type TreePage } from './treePage';

/** Bytes of an index entry that are read. */
const MAX_INDEX_ENTRY = 64 * 1024;

/** An entry's record, and the places of its columns. */
export interface IndexEntry {
  readonly record: Buffer;
  readonly places: readonly ColumnPlace[];
}

/** Returns a negative number for entries before the wanted ones, a positive one for those behind them. */
export type EntryOrder = (entry: IndexEntry) => number;

/** Passes the wanted entries of an index to `onEntry`, in order. */
export function* scanIndex(pages: PageReader, root: number, compare: EntryOrder, onEntry: (entry: IndexEntry) => void): Reading<void> {
  const visited = new Set<number>();
  const waiting: (number | IndexEntry)[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'number') {
      onEntry(next);
      continue;
    }
    visit(visited, next);
    const page = yield* indexPage(pages, next);
    const isLeaf = page.type === INDEX_LEAF;
    const before = yield* countBefore(pages, page, (entry) => compare(entry) < 0);
    const wanted: IndexEntry[] = [];
    for (let index = before; index < page.count; index++) {
      const entry = entryOnPage(pages, page, index) ?? (yield* longEntry(pages, page, index));
      if (compare(entry) !== 0) break;
      if (isLeaf) onEntry(entry);
      else wanted.push(entry);
    }
    if (isLeaf) continue;
    // In reverse order, since the last one that is pushed comes first. Each entry stands between two children.
    waiting.push(page.child(before + wanted.length));
    for (const [index, entry] of [...wanted.entries()].reverse()) waiting.push(entry, page.child(before + index));
  }
}

/** Returns the last wanted entry; `undefined` if there is none. */
export function* lastEntry(pages: PageReader, root: number, compare: EntryOrder): Reading<IndexEntry | undefined> {
  const visited = new Set<number>();
  let found: IndexEntry | undefined;
  for (let number = root; ;) {
    visit(visited, number);
    const page = yield* indexPage(pages, number);
    const end = yield* countBefore(pages, page, (entry) => compare(entry) <= 0);
    const before = end > 0 ? (entryOnPage(pages, page, end - 1) ?? (yield* longEntry(pages, page, end - 1))) : undefined;
    // Those of the child behind it come later.
    if (before && compare(before) === 0) found = before;
    if (page.type === INDEX_LEAF) return found;
    number = page.child(end);
  }
}

function* indexPage(pages: PageReader, number: number): Reading<TreePage> {
  const page = yield* treePage(pages, number);
  if (page.type !== INDEX_LEAF && page.type !== INDEX_INTERIOR) throw new CorruptDatabase('an index contains a table');
  return page;
}

/** Returns the number of a page's entries before the first one for which `isBefore` is false. */
function* countBefore(pages: PageReader, page: TreePage, isBefore: (entry: IndexEntry) => boolean): Reading<number> {
  let [low, high] = [0, page.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(entryOnPage(pages, page, middle) ?? (yield* longEntry(pages, page, middle)))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns an entry; `undefined` if it continues on other pages. */
function entryOnPage(pages: PageReader, page: TreePage, index: number): IndexEntry | undefined {
  const { size, local } = entryCell(pages, page, index);
  return size === local.length ? { record: local, places: columnPlaces(local) } : undefined;
}

function* longEntry(pages: PageReader, page: TreePage, index: number): Reading<IndexEntry> {
  const record = yield* recordStart(pages, entryCell(pages, page, index), MAX_INDEX_ENTRY);
  return { record, places: columnPlaces(record) };
}

const entryCell = (pages: PageReader, page: TreePage, index: number): Cell =>
  cellAt(page.bytes, page.cell(index) + (page.type === INDEX_LEAF ? 0 : 4), false, pages.usableSize);
