/** Reads the entries of an index: a tree that has them on all its pages, in their order. */
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { PageReader } from './pageReader';
import { RecordColumns } from './record';
import { cellAt, INDEX_INTERIOR, INDEX_LEAF, recordStart, treePage, visit, type Cell, type TreePage } from './treePage';

/** Bytes of an index entry that are read. */
const MAX_INDEX_ENTRY = 64 * 1024;

/** Returns a negative number for entries before the wanted ones, a positive one for those behind them. */
export type EntryOrder = (entry: RecordColumns) => number;

/** Passes the wanted entries of an index to `onEntry`, in order. An entry is valid until the call returns. */
export function* scanIndex(pages: PageReader, root: number, compare: EntryOrder, onEntry: (entry: RecordColumns) => void): Reading<void> {
  const visited = new Set<number>();
  const entry = new RecordColumns();
  const waiting: (number | RecordColumns)[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'number') {
      onEntry(next);
      continue;
    }
    visit(visited, next);
    const page = yield* indexPage(pages, next);
    const before = yield* countBefore(pages, page, entry, (one) => compare(one) < 0);
    if (page.type === INDEX_LEAF) {
      for (let index = before; index < page.count; index++) {
        if (!readEntry(pages, page, index, entry)) yield* readLongEntry(pages, page, index, entry);
        if (compare(entry) !== 0) break;
        onEntry(entry);
      }
      continue;
    }
    const wanted: RecordColumns[] = [];
    for (let index = before; index < page.count; index++) {
      const one = new RecordColumns();
      if (!readEntry(pages, page, index, one)) yield* readLongEntry(pages, page, index, one);
      if (compare(one) !== 0) break;
      wanted.push(one);
    }
    // In reverse order, since the last one that is pushed comes first. Each entry stands between two children.
    waiting.push(page.child(before + wanted.length));
    for (const [index, one] of [...wanted.entries()].reverse()) waiting.push(one, page.child(before + index));
  }
}

/** Returns the last wanted entry; `undefined` if there is none. */
export function* lastEntry(pages: PageReader, root: number, compare: EntryOrder): Reading<RecordColumns | undefined> {
  const visited = new Set<number>();
  const entry = new RecordColumns();
  let found: RecordColumns | undefined;
  for (let number = root; ;) {
    visit(visited, number);
    const page = yield* indexPage(pages, number);
    const end = yield* countBefore(pages, page, entry, (one) => compare(one) <= 0);
    if (end > 0) {
      const before = new RecordColumns();
      if (!readEntry(pages, page, end - 1, before)) yield* readLongEntry(pages, page, end - 1, before);
      // Entries of the child behind it come later, so the loop goes on there.
      if (compare(before) === 0) found = before;
    }
    if (page.type === INDEX_LEAF) return found;
    number = page.child(end);
  }
}

function* indexPage(pages: PageReader, number: number): Reading<TreePage> {
  const page = yield* treePage(pages, number);
  if (page.type !== INDEX_LEAF && page.type !== INDEX_INTERIOR) throw new CorruptDatabase('an index contains a table');
  return page;
}

/** Returns the number of a page's entries before the first one for which `isBefore` is false. @param entry takes one of them after the other */
function* countBefore(
  pages: PageReader,
  page: TreePage,
  entry: RecordColumns,
  isBefore: (entry: RecordColumns) => boolean,
): Reading<number> {
  let [low, high] = [0, page.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (!readEntry(pages, page, middle, entry)) yield* readLongEntry(pages, page, middle, entry);
    if (isBefore(entry)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Reads an entry. Returns false if it continues on other pages. */
function readEntry(pages: PageReader, page: TreePage, index: number, into: RecordColumns): boolean {
  const { size, local } = entryCell(pages, page, index);
  if (size !== local.length) return false;
  into.read(local);
  return true;
}

function* readLongEntry(pages: PageReader, page: TreePage, index: number, into: RecordColumns): Reading<void> {
  into.read(yield* recordStart(pages, entryCell(pages, page, index), MAX_INDEX_ENTRY));
}

const entryCell = (pages: PageReader, page: TreePage, index: number): Cell =>
  cellAt(page.bytes, page.cell(index) + (page.type === INDEX_LEAF ? 0 : 4), false, pages.usableSize);
