/** Rows of entries that the caller parsed, and the tool calls in them. */
import { NONE } from '../../scanner/scannerLayout';
import { keepId } from './addLine';
import { entryOf, find, intern } from '../memory/memory';
import { addRow, idSize, setDouble, setInt32, times } from './rows';
import { calls, ids } from '../memory/storage';

/**
 * Adds the row of an entry that the caller parsed. Its id is at `at`, its parent's at `parentAt`; a size of 0 means no parent,
 * or an id that only the caller keeps.
 */
export function addParsedEntry(
  at: usize,
  size: u32,
  parentAt: usize,
  parentSize: u32,
  onLine: i32,
  offset: f64,
  length: i32,
  itsTime: f64,
): void {
  const before = parentSize == 0 ? NONE : find(ids, parentAt, parentSize);
  addRow(onLine, offset, length, before == NONE ? NONE : entryOf(ids, before).value, NONE);
  setDouble(times, itsTime);
  if (size != 0) keepId(at, size);
  else setInt32(idSize, 0);
}

/** Returns the value of the call with the id at `at`: its row, or the caller's number below `NONE`; `NONE` if there is no such call. */
export function findCall(at: usize, size: u32): i32 {
  const found = find(calls, at, size);
  return found == NONE ? NONE : entryOf(calls, found).value;
}

export function putCall(at: usize, size: u32, value: i32): void {
  entryOf(calls, intern(calls, at, size, NONE)).value = value;
}
