/** What is known of each line, by the number of its row: numbers, and places in what is kept, each in a column of its own. */
import { ids } from './storage';
import { GrowableBytes, createBytes, reserve } from './memory';
import { intAt, doubleAt, putVarint } from './integers';

const NONE: i32 = -1;
const INITIAL_ROWS: usize = 1024;

export const offsets = createBytes(8 * INITIAL_ROWS);
export const times = createBytes(8 * INITIAL_ROWS);
/** `NaN` if there is none. */
export const messageTimes = createBytes(8 * INITIAL_ROWS);
export const lines = createBytes(4 * INITIAL_ROWS);
export const sizes = createBytes(4 * INITIAL_ROWS);
/** The parent's row; -1 if it has none. */
export const parents = createBytes(4 * INITIAL_ROWS);
/** -1 of a line that is no such message, until the caller gives it one of its own. */
export const profileOf = createBytes(4 * INITIAL_ROWS);
/** Its first number among the usages. */
export const usageOf = createBytes(4 * INITIAL_ROWS);
export const idFrom = createBytes(4 * INITIAL_ROWS);
export const idSize = createBytes(4 * INITIAL_ROWS);
/** Of a result: the number of its call among the calls, and what was known of that then: -1 if nothing. */
export const callOf = createBytes(4 * INITIAL_ROWS);
export const callPlace = createBytes(4 * INITIAL_ROWS);
export const contentFrom = createBytes(4 * INITIAL_ROWS);
export const contentSize = createBytes(4 * INITIAL_ROWS);
/** Among the words that were taken here; the caller may set others, told from there on, too. */
export const wordsFrom = createBytes(4 * INITIAL_ROWS);
export const wordsTo = createBytes(4 * INITIAL_ROWS);

export let rowCount = 0;
/** How many of them are no such messages. */
export let parsedRowCount = 0;
/** How many rows there is room for. */
let capacity = INITIAL_ROWS;

/** Begins anew, with room for so many. */
export function beginRows(expected: usize): void {
  rowCount = parsedRowCount = 0;
  if (expected > capacity) growColumns(expected);
}

/** The next row, in which further values may be set. */
export function addRow(onLine: i32, offset: f64, size: i32, parent: i32, profile: i32): void {
  if (rowCount == <i32>capacity) growColumns(capacity * 2);
  rowCount++;
  if (profile == NONE) parsedRowCount++;
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
  store<i32>(column.at + (<usize>(rowCount - 1) << 2), value);
}

export function setDouble(column: GrowableBytes, value: f64): void {
  store<f64>(column.at + (<usize>(rowCount - 1) << 3), value);
}

/** When a row's message says that it was, else when the row was written; always a date. */
export function timeOf(row: i32): f64 {
  const time = doubleAt(messageTimes, row);
  return time == time ? time : doubleAt(times, row);
}

/** Its length and its bytes, where there must be room. */
export function putId(bytes: GrowableBytes, row: i32): void {
  const size = intAt(idSize, row);
  putVarint(bytes, size);
  memory.copy(bytes.at + bytes.size, ids.bytes.at + <usize>intAt(idFrom, row), size);
  bytes.size += size;
}

export function columnAt(index: i32): GrowableBytes {
  switch (index) {
    case 0: return offsets;
    case 1: return times;
    case 2: return messageTimes;
    case 3: return lines;
    case 4: return sizes;
    case 5: return parents;
    case 6: return profileOf;
    case 7: return usageOf;
    case 8: return idFrom;
    case 9: return idSize;
    case 10: return callOf;
    case 11: return callPlace;
    case 12: return contentFrom;
    case 13: return contentSize;
    case 14: return wordsFrom;
    default: return wordsTo;
  }
}

const COLUMNS = 16;
/** The first of them are numbers of 64 bits. */
const DOUBLE_COLUMNS = 3;

function growColumns(rows: usize): void {
  capacity = rows;
  for (let index = 0; index < COLUMNS; index++) {
    const bytes = columnAt(index);
    bytes.size = <usize>rowCount << (index < DOUBLE_COLUMNS ? 3 : 2);
    reserve(bytes, (rows << (index < DOUBLE_COLUMNS ? 3 : 2)) - bytes.size);
  }
}
