/** The table of a file's lines as `catalog/lineTable.ts` has it, and where the words of each are. */
import { ids } from './storage';
import { createBytes, resetWithCapacity } from './memory';
import { appendInt, MAX_VARINT32_BYTES, intAt, MAX_VARINT53_BYTES, doubleAt, putVarint, putSignedVarint } from './integers';
import { idSize, lines, offsets, profileOf, putId, rowCount, sizes, timeOf, wordsFrom, wordsTo } from './rows';
import { rowTools } from './touches';
import { isActive } from './branches';

const ACTIVE: u32 = 1;
const TEXTLESS: u32 = 2;
const CALLING: u32 = 4;
const ROLE: u32 = 8;
/** Lines of a block. */
const BLOCK = 16;

/** Given by the caller, by profile: the number of its role. */
export const roles = createBytes(0);

export const table = createBytes(0);
/** Line, beginning and end of each text. */
export const places = createBytes(0);

/** Of each block its first line, how many it has, and where they begin. */
export const blocks = createBytes(0);

let lastLine = 0;
let lastOffset: i64 = 0;
let lastTime: i64 = 0;

/** `others`: how many lines stand for other entries than their own. */
export function prepareLines(profileBytes: usize, calls: usize, others: usize): void {
  let longest = 0;
  for (let row = 0; row < rowCount; row++) longest = max(longest, intAt(idSize, row));
  resetWithCapacity(roles, profileBytes);
  resetWithCapacity(table, <usize>rowCount * (5 * MAX_VARINT32_BYTES + 2 * MAX_VARINT53_BYTES) + ids.bytes.size + others * longest + calls * MAX_VARINT32_BYTES);
  resetWithCapacity(places, <usize>rowCount * 12);
  resetWithCapacity(blocks, (<usize>rowCount / BLOCK + 1) * 12);
}

/** Of two on one line both answer: what might stand between them is found not to be there when the line is looked at. */
export function putPlace(row: i32, base: i32): void {
  const line = intAt(lines, row);
  const end = places.at + places.size;
  if (places.size > 0 && load<i32>(end - 12) == line) {
    store<i32>(end - 4, base + intAt(wordsTo, row));
    return;
  }
  appendInt(places, line);
  appendInt(places, base + intAt(wordsFrom, row));
  appendInt(places, base + intAt(wordsTo, row));
}

/** `entry`: the row that is gone to from this one. */
export function putLine(row: i32, entry: i32, hasText: bool): void {
  const line = intAt(lines, row);
  const offset = <i64>doubleAt(offsets, row);
  const time = <i64>Math.round(timeOf(row));
  const tools = <i32>(rowTools.size >> 2);
  let block = blocks.at + blocks.size - 12;
  if (blocks.size == 0 || load<i32>(block, 4) == BLOCK) {
    block += 12;
    appendInt(blocks, line);
    appendInt(blocks, 0);
    appendInt(blocks, <i32>table.size);
    lastLine = 0;
    lastOffset = lastTime = 0;
  }
  putVarint(table, line - lastLine);
  putSignedVarint(table, offset - lastOffset);
  putVarint(table, intAt(sizes, row));
  putVarint(table, <u32>intAt(roles, intAt(profileOf, row)) * ROLE + (isActive(entry) ? ACTIVE : 0) + (hasText ? 0 : TEXTLESS) + (tools > 0 ? CALLING : 0));
  putSignedVarint(table, time - lastTime);
  putId(table, entry);
  if (tools > 0) {
    putVarint(table, tools);
    for (let index = 0; index < tools; index++) putVarint(table, intAt(rowTools, index));
  }
  store<i32>(block, load<i32>(block, 4) + 1, 4);
  lastLine = line;
  lastOffset = offset;
  lastTime = time;
}
