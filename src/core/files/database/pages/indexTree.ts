/** Reads the entries of an index: a tree that has them on all its pages, in their order. */
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { PageReader } from './pageReader';
import { cellAt, INDEX_INTERIOR, INDEX_LEAF, recordStart, treePage, visit, type TreePage } from './treePage';

/** Bytes of an index entry that are read. */
const MAX_INDEX_ENTRY = 64 * 1024;

/**
 * Passes the records of an index's entries to `onEntry`, in order.
 *
 * @param compare returns a negative number for entries before the wanted ones, a positive one for those behind them.
 */
export function* scanIndex(
  pages: PageReader,
  root: number,
  compare: (record: Buffer) => number,
  onEntry: (record: Buffer) => void,
): Reading<void> {
  const visited = new Set<number>();
  const waiting: (number | Buffer)[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'number') {
      onEntry(next);
      continue;
    }
    visit(visited, next);
    const page = yield* indexPage(pages, next);
    const isLeaf = page.type === INDEX_LEAF;
    const before = yield* countBefore(pages, page, (record) => compare(record) < 0);
    const wanted: Buffer[] = [];
    for (let index = before; index < page.count; index++) {
      const record = yield* indexEntry(pages, page, index);
      if (compare(record) !== 0) break;
      if (isLeaf) onEntry(record);
      else wanted.push(record);
    }
    if (isLeaf) continue;
    // In reverse order, since the last one that is pushed comes first. Each entry stands between two children.
    waiting.push(page.child(before + wanted.length));
    for (const [index, record] of [...wanted.entries()].reverse()) waiting.push(record, page.child(before + index));
  }
}

/** Returns the record of the last wanted entry; `undefined` if there is none. @param compare as for `scanIndex` */
export function* lastEntry(pages: PageReader, root: number, compare: (record: Buffer) => number): Reading<Buffer | undefined> {
  const visited = new Set<number>();
  let found: Buffer | undefined;
  for (let number = root; ;) {
    visit(visited, number);
    const page = yield* indexPage(pages, number);
    const end = yield* countBefore(pages, page, (record) => compare(record) <= 0);
    const before = end > 0 ? yield* indexEntry(pages, page, end - 1) : undefined;
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
function* countBefore(pages: PageReader, page: TreePage, isBefore: (record: Buffer) => boolean): Reading<number> {
  let [low, high] = [0, page.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(yield* indexEntry(pages, page, middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* indexEntry(pages: PageReader, page: TreePage, index: number): Reading<Buffer> {
  const isLeaf = page.type === INDEX_LEAF;
  const cell = cellAt(page.bytes, page.cell(index) + (isLeaf ? 0 : 4), false, pages.usableSize);
  return cell.size === cell.local.length ? cell.local : yield* recordStart(pages, cell, MAX_INDEX_ENTRY);
}
