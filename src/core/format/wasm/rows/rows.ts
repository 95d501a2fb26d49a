/** One row per entry, in columns: numbers, and positions in the data of `memory/storage.ts`. `scanner/scannerLayout.ts` describes each column. */
import { DOUBLE_COLUMN_COUNT, DoubleColumn, INT_COLUMN_COUNT, IntColumn, NONE } from '../../scanner/scannerLayout';
import { GrowableBytes, createBytes, reserve } from '../memory/memory';

const INITIAL_ROWS: usize = 1024;

export const offsets = createBytes(8 * INITIAL_ROWS);
export const times = createBytes(8 * INITIAL_ROWS);
export const messageTimes = createBytes(8 * INITIAL_ROWS);
export const lines = createBytes(4 * INITIAL_ROWS);
export const sizes = createBytes(4 * INITIAL_ROWS);
export const parents = createBytes(4 * INITIAL_ROWS);
/** `NONE` for a line that the caller parsed. */
export const profileOf = createBytes(4 * INITIAL_ROWS);
export const usageOf = createBytes(4 * INITIAL_ROWS);
export const idFrom = createBytes(4 * INITIAL_ROWS);
export const idSize = createBytes(4 * INITIAL_ROWS);
export const callOf = createBytes(4 * INITIAL_ROWS);
export const callPlace = createBytes(4 * INITIAL_ROWS);
export const contentFrom = createBytes(4 * INITIAL_ROWS);
export const contentSize = createBytes(4 * INITIAL_ROWS);
/** Relative to the start of the scanner's words. */
export const wordsFrom = createBytes(4 * INITIAL_ROWS);
export const wordsTo = createBytes(4 * INITIAL_ROWS);

export let rowCount = 0;
/** Allocated rows. */
let capacity = INITIAL_ROWS;

/** Removes all rows and makes room for `expected` ones. */
export function beginRows(expected: usize): void {
  rowCount = 0;
  if (expected > capacity) growColumns(expected);
}

/** Adds a row; further columns of it can be set until the next one is added. */
export function addRow(onLine: i32, offset: f64, size: i32, parent: i32, profile: i32): void {
  if (rowCount == <i32>capacity) growColumns(capacity * 2);
  rowCount++;
  setInt32(lines, onLine);
  setDouble(offsets, offset);
  setInt32(sizes, size);
  setInt32(parents, parent);
  setInt32(profileOf, profile);
  setInt32(callOf, NONE);
  setInt32(callPlace, NONE);
  setInt32(contentFrom, 0);
  setInt32(contentSize, 0);
  setInt32(wordsFrom, 0);
  setInt32(wordsTo, 0);
}

export function setInt32(column: GrowableBytes, value: i32): void {
  store<i32>(column.at + ((<usize>(rowCount - 1)) << 2), value);
}

export function setDouble(column: GrowableBytes, value: f64): void {
  store<f64>(column.at + ((<usize>(rowCount - 1)) << 3), value);
}

export function doubleColumnAt(column: i32): GrowableBytes {
  switch (column) {
    case DoubleColumn.offset:
      return offsets;
    case DoubleColumn.time:
      return times;
    default:
      return messageTimes;
  }
}

export function intColumnAt(column: i32): GrowableBytes {
  switch (column) {
    case IntColumn.line:
      return lines;
    case IntColumn.size:
      return sizes;
    case IntColumn.parent:
      return parents;
    case IntColumn.profile:
      return profileOf;
    case IntColumn.usage:
      return usageOf;
    case IntColumn.idFrom:
      return idFrom;
    case IntColumn.idSize:
      return idSize;
    case IntColumn.call:
      return callOf;
    case IntColumn.callPlace:
      return callPlace;
    case IntColumn.contentFrom:
      return contentFrom;
    case IntColumn.contentSize:
      return contentSize;
    case IntColumn.wordsFrom:
      return wordsFrom;
    default:
      return wordsTo;
  }
}

function growColumns(rows: usize): void {
  capacity = rows;
  for (let column = 0; column < DOUBLE_COLUMN_COUNT; column++) growColumn(doubleColumnAt(column), 3);
  for (let column = 0; column < INT_COLUMN_COUNT; column++) growColumn(intColumnAt(column), 2);
}

/** `shift`: the power of two of a number's bytes. */
function growColumn(column: GrowableBytes, shift: usize): void {
  column.size = (<usize>rowCount) << shift;
  reserve(column, (capacity << shift) - column.size);
}
