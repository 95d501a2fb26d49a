/** The tools that a row calls and the files that it touches, in the format of `catalog/encoding/touchTable.ts`. Tools and files are numbers here; the caller maps them to strings. */
import { MAX_PROMPT_ID_BYTES, TOUCH_FILE_UNIT, TouchFlag, TouchKind } from '../../scanner/indexLayout';
import { NONE } from '../../scanner/scannerLayout';
import { ids } from '../memory/storage';
import { GrowableBytes, createBytes, resetWithCapacity } from '../memory/memory';
import { appendInt, MAX_VARINT32_BYTES, intAt, putVarint, setInt, resetToZeros } from '../memory/integers';
import { idSize, lines, putId, rowCount } from '../rows/rows';
import { preparePrompts, promptOf } from './prompts';

/** Inputs of the caller: the `TouchKind` of each tool; for each file the first one with the same path. */
export const toolKinds = createBytes(0);
export const canonicalFiles = createBytes(0);

export const touches = createBytes(0);
/** Tools and files in the order of their first occurrence. */
export const usedTools = createBytes(0);
export const usedFiles = createBytes(0);
/** Indexes in `usedTools` of the current row's tools. */
export const rowTools = createBytes(0);

/** By tool and by file: its index in the used ones plus one, or 0. */
const toolPlaces = createBytes(0);
const filePlaces = createBytes(0);
/** By tool, and by file and kind: the last row that had it, plus one, or 0. */
const toolRows = createBytes(0);
const fileRows = createBytes(0);
let touchedRow = NONE;
let touchedLine = 0;
let lastPrompt = NONE;

export function prepareTouches(toolBytes: usize, fileBytes: usize, calls: usize): void {
  resetWithCapacity(toolKinds, toolBytes);
  resetWithCapacity(canonicalFiles, fileBytes);
  resetWithCapacity(
    touches,
    calls * (3 * MAX_VARINT32_BYTES + 1 + MAX_PROMPT_ID_BYTES) + <usize>rowCount * MAX_VARINT32_BYTES + ids.bytes.size,
  );
  resetWithCapacity(usedTools, toolBytes);
  resetWithCapacity(usedFiles, fileBytes);
  resetWithCapacity(rowTools, toolBytes);
  resetToZeros(toolPlaces, toolBytes);
  resetToZeros(toolRows, toolBytes);
  resetToZeros(filePlaces, fileBytes);
  resetToZeros(fileRows, fileBytes << 1);
  preparePrompts();
  touchedRow = lastPrompt = NONE;
  touchedLine = 0;
}

/** Adds a call's tool, once per row, and its file, once per row and kind. */
export function addTouches(row: i32, tool: i32, file: i32, kind: i32): void {
  if (tool != NONE && intAt(toolRows, tool) != row + 1) {
    setInt(toolRows, tool, row + 1);
    appendInt(rowTools, placeAmong(usedTools, toolPlaces, tool));
  }
  if (file == NONE || kind == TouchKind.none) return;
  const first = intAt(canonicalFiles, file);
  const slot = first * 2 + kind - 1;
  if (intAt(fileRows, slot) == row + 1) return;
  setInt(fileRows, slot, row + 1);
  const isSame = row == touchedRow;
  touchedRow = row;
  putVarint(
    touches,
    <u32>placeAmong(usedFiles, filePlaces, first) * TOUCH_FILE_UNIT +
      (kind == TouchKind.write ? TouchFlag.writes : 0) +
      (isSame ? TouchFlag.sameEntry : 0),
  );
  if (!isSame) putEntry(row);
}

/** Appends a row's id, its line and its prompt. */
function putEntry(row: i32): void {
  const line = intAt(lines, row);
  putId(touches, row);
  putVarint(touches, line - touchedLine);
  touchedLine = line;
  let prompt = promptOf(row);
  if (prompt != NONE && intAt(idSize, prompt) > MAX_PROMPT_ID_BYTES) prompt = NONE;
  putVarint(touches, prompt == lastPrompt ? 0 : 1);
  if (prompt == lastPrompt) return;
  lastPrompt = prompt;
  if (prompt == NONE) putVarint(touches, 0);
  else putId(touches, prompt);
}

/** Returns the index of a tool or a file in the used ones, and appends it at its first use. */
function placeAmong(used: GrowableBytes, known: GrowableBytes, name: i32): i32 {
  const place = intAt(known, name);
  if (place != 0) return place - 1;
  appendInt(used, name);
  setInt(known, name, <i32>(used.size >> 2));
  return <i32>(used.size >> 2) - 1;
}
