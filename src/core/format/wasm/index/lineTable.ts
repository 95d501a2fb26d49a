/** The table of a file's lines, in the format of `catalog/encoding/lineTable.ts`, and the positions of each line's words. */
import { BLOCK_LENGTH, BLOCK_LINES, BlockField, LINE_ROLE_UNIT, LineFlag } from '../../scanner/indexLayout';
import { ids } from '../memory/storage';
import { createBytes, resetWithCapacity } from '../memory/memory';
import { appendInt, MAX_VARINT32_BYTES, intAt, MAX_VARINT53_BYTES, doubleAt, putVarint, putSignedVarint } from '../memory/integers';
import { idSize, lines, offsets, putId, rowCount, sizes, timeOf, wordsFrom, wordsTo } from '../rows/rows';
import { roleOf, roles } from './roles';
import { rowTools } from './touches';
import { isActive } from './activeBranch';

const BLOCK_BYTES: usize = BLOCK_LENGTH << 2;
const LINE_COUNT_OFFSET: usize = BlockField.lineCount << 2;

export const table = createBytes(0);
/** Line, start and end of each line's words. */
export const wordPositions = createBytes(0);
/** `BlockField` numbers of each block. */
export const blocks = createBytes(0);

let lastLine = 0;
let lastOffset: i64 = 0;
let lastTime: i64 = 0;

/** `labelTargetCount`: lines that are stored with another entry's id. */
export function prepareLines(profileBytes: usize, calls: usize, labelTargetCount: usize): void {
  let longest = 0;
  for (let row = 0; row < rowCount; row++) longest = max(longest, intAt(idSize, row));
  resetWithCapacity(roles, profileBytes);
  resetWithCapacity(
    table,
    <usize>rowCount * (5 * MAX_VARINT32_BYTES + 2 * MAX_VARINT53_BYTES) +
      ids.bytes.size +
      labelTargetCount * longest +
      calls * MAX_VARINT32_BYTES,
  );
  resetWithCapacity(wordPositions, <usize>rowCount * 12);
  resetWithCapacity(blocks, (<usize>rowCount / BLOCK_LINES + 1) * BLOCK_BYTES);
}

/** Adds the words of a row. Two rows on one line become one range; a match between them is rejected when the line is read. */
export function putWordPosition(row: i32, base: i32): void {
  const line = intAt(lines, row);
  const end = wordPositions.at + wordPositions.size;
  if (wordPositions.size > 0 && load<i32>(end - 12) == line) {
    store<i32>(end - 4, base + intAt(wordsTo, row));
    return;
  }
  appendInt(wordPositions, line);
  appendInt(wordPositions, base + intAt(wordsFrom, row));
  appendInt(wordPositions, base + intAt(wordsTo, row));
}

/** `entry`: the row whose entry a hit on this line leads to. */
export function putLine(row: i32, entry: i32, hasText: bool): void {
  const line = intAt(lines, row);
  const offset = <i64>doubleAt(offsets, row);
  const time = <i64>Math.round(timeOf(row));
  const tools = <i32>(rowTools.size >> 2);
  let block = blocks.at + blocks.size - BLOCK_BYTES;
  if (blocks.size == 0 || load<i32>(block + LINE_COUNT_OFFSET) == BLOCK_LINES) {
    block += BLOCK_BYTES;
    appendInt(blocks, line);
    appendInt(blocks, 0);
    appendInt(blocks, <i32>table.size);
    lastLine = 0;
    lastOffset = lastTime = 0;
  }
  putVarint(table, line - lastLine);
  putSignedVarint(table, offset - lastOffset);
  putVarint(table, intAt(sizes, row));
  putVarint(
    table,
    <u32>roleOf(row) * LINE_ROLE_UNIT +
      (isActive(entry) ? LineFlag.active : 0) +
      (hasText ? 0 : LineFlag.textless) +
      (tools > 0 ? LineFlag.hasTools : 0),
  );
  putSignedVarint(table, time - lastTime);
  putId(table, entry);
  if (tools > 0) {
    putVarint(table, tools);
    for (let index = 0; index < tools; index++) putVarint(table, intAt(rowTools, index));
  }
  store<i32>(block + LINE_COUNT_OFFSET, load<i32>(block + LINE_COUNT_OFFSET) + 1);
  lastLine = line;
  lastOffset = offset;
  lastTime = time;
}
