/** Reads the entries of an index: a tree that has them on all its pages, in their order. */
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { PageReader } from './pageReader';
import { columnPlaces, columnValue, type ColumnValue } from './record';
import { cellAt, INDEX_INTERIOR, INDEX_LEAF, recordStart, treePage, visit, type TreePage } from './treePage';

/** Bytes of an index entry that are read. */
const MAX_INDEX_ENTRY = 64 * 1024;

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
    if (!isLeaf) waiting.push(page.child(before + wanted.length));
    for (const [index, entry] of [...wanted.entries()].reverse()) {
      waiting.push(entry);
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
