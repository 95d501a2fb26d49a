/** Which tools a row calls and which files it touches, as the catalog stores it. Tools and files are numbers here; the caller knows what they stand for. */
import { ids } from './storage';
import { GrowableBytes, createBytes, resetWithCapacity } from './memory';
import { appendInt, MAX_VARINT32_BYTES, intAt, putVarint, setInt, resetToZeros } from './integers';
import { putId, rowCount } from './rows';

const NONE: i32 = -1;
// As in `catalog/touchTable.ts`.
const WRITES: u32 = 1;
const SAME_ENTRY: u32 = 2;
const FILE: u32 = 4;
/** What a tool does with a file, if anything. */
const WRITE = 2;

/** Given by the caller: what each tool does; of each file the first one that is the same. */
export const toolKinds = createBytes(0);
export const canonicalFiles = createBytes(0);

export const touches = createBytes(0);
/** Tools and files in the order in which they came. */
export const usedTools = createBytes(0);
export const usedFiles = createBytes(0);
/** Places among the used ones, of the tools of one row. */
export const rowTools = createBytes(0);

/** Of each: its place among the used ones and one more, 0 if it has none; and the row that had it last and one more, for files one of each kind. */
const toolPlaces = createBytes(0);
const toolRows = createBytes(0);
const filePlaces = createBytes(0);
const fileRows = createBytes(0);
let touchedRow = NONE;

export function prepareTouches(toolBytes: usize, fileBytes: usize, calls: usize): void {
  resetWithCapacity(toolKinds, toolBytes);
  resetWithCapacity(canonicalFiles, fileBytes);
  resetWithCapacity(touches, calls * MAX_VARINT32_BYTES + <usize>rowCount * MAX_VARINT32_BYTES + ids.bytes.size);
  resetWithCapacity(usedTools, toolBytes);
  resetWithCapacity(usedFiles, fileBytes);
  resetWithCapacity(rowTools, toolBytes);
  resetToZeros(toolPlaces, toolBytes);
  resetToZeros(toolRows, toolBytes);
  resetToZeros(filePlaces, fileBytes);
  resetToZeros(fileRows, fileBytes << 1);
  touchedRow = NONE;
}

/** What a call names: the tool, once for each row; the file, once for each row and kind. */
export function addTouches(row: i32, tool: i32, file: i32, kind: i32): void {
  if (tool != NONE && intAt(toolRows, tool) != row + 1) {
    setInt(toolRows, tool, row + 1);
    appendInt(rowTools, placeAmong(usedTools, toolPlaces, tool));
  }
  if (file == NONE || kind == 0) return;
  const first = intAt(canonicalFiles, file);
  const slot = first * 2 + kind - 1;
  if (intAt(fileRows, slot) == row + 1) return;
  setInt(fileRows, slot, row + 1);
  const isSame = row == touchedRow;
  touchedRow = row;
  putVarint(touches, <u32>placeAmong(usedFiles, filePlaces, first) * FILE + (kind == WRITE ? WRITES : 0) + (isSame ? SAME_ENTRY : 0));
  if (!isSame) putId(touches, row);
}

function placeAmong(used: GrowableBytes, known: GrowableBytes, name: i32): i32 {
  const place = intAt(known, name);
  if (place != 0) return place - 1;
  appendInt(used, name);
  setInt(known, name, <i32>(used.size >> 2));
  return <i32>(used.size >> 2) - 1;
}
