/** Adds the line that was read last as a row. */
import { Collection, LineKind, MAX_ID_LENGTH, NONE, PendingWork, Role } from '../../scanner/scannerLayout';
import { blockAt, blockCount } from '../line/contentBlocks';
import { putKeptContent } from './keptContent';
import { id, kind, parent, time } from '../line/line';
import { append, appendInt, entryOf, find, intern, PADDING, reserve } from '../memory/memory';
import { errorMessage, hasUsage, messageTime, role, toolCall } from '../line/message';
import { mayShowProgram, profileNumber } from './profile';
import {
  addRow,
  callOf,
  callPlace,
  contentFrom,
  contentSize,
  idFrom,
  idSize,
  messageTimes,
  rowCount,
  setDouble,
  setInt32,
  times,
  usageOf,
  wordsFrom,
  wordsTo,
} from './rows';
import { putWords } from '../words/searchText';
import { sizeOf } from '../json/spans';
import { calls, contents, ids, repeats, usages, words } from '../memory/storage';
import { usage, usageBytes } from '../line/usage';

/** A parent that has no row. */
const MISSING_PARENT: i32 = NONE - 1;
/** Longer contents aren't kept: the caller makes the row's text. */
const MAX_KEPT: usize = 4096;

const GIVEN_ID_BYTES: u32 = 8;
const given: usize = heap.alloc(GIVEN_ID_BYTES + PADDING);

/** The content of the last row as `putKeptContent` makes it. */
export let keptFrom: usize = 0;
export let keptTo: usize = 0;

/**
 * Adds the row.
 *
 * @param object in a file of version 1 the line's number among the file's objects, which gives its id; otherwise `NONE`
 * @returns the `PendingWork` of the line; `NONE` if it has to be parsed, and nothing was added
 */
export function addLine(onLine: i32, offset: f64, size: i32, object: i32, collection: i32): i32 {
  const before = object == NONE ? parentRow() : rowCount - 1;
  // The parent comes later, or never.
  if (before == MISSING_PARENT || hasLongCallId()) return NONE;
  const profile = profileNumber(rowCount);
  if (profile == NONE) return NONE;
  addRow(onLine, offset, size, before, profile);
  setDouble(times, time);
  setDouble(messageTimes, messageTime);
  if (object == NONE) keepId(id.from, sizeOf(id));
  else keepId(givenId(object), GIVEN_ID_BYTES);
  setInt32(usageOf, <i32>(usages.size >> 3));
  if (hasUsage) append(usages, usage, usageBytes);
  let work: i32 = mayShowProgram ? PendingWork.profile : PendingWork.none;
  if (kind == LineKind.simple) return work;
  if (role == Role.toolResult) putResult();
  else work |= putContent();
  return collection == Collection.none ? work : work | putSearched(collection);
}

/** Returns whether the line has a call's id that `ScannedRows.putCall` doesn't take: the parser keeps the texts of such calls. */
function hasLongCallId(): bool {
  if (kind == LineKind.simple) return false;
  if (role == Role.toolResult) return sizeOf(toolCall) > <u32>MAX_ID_LENGTH;
  if (role != Role.assistant) return false;
  for (let index = 0; index < blockCount; index++) {
    const block = blockAt(index);
    if (block.isCall && block.idTo - block.idFrom > <usize>MAX_ID_LENGTH) return true;
  }
  return false;
}

function putResult(): void {
  if (toolCall.from == 0) return;
  const call = intern(calls, toolCall.from, sizeOf(toolCall), NONE);
  setInt32(callOf, call);
  setInt32(callPlace, entryOf(calls, call).value);
}

/** Adds the searchable words. Returns the line's `PendingWork`. */
function putSearched(collection: i32): i32 {
  const from = words.size;
  const isTaken = putWords(rowCount - 1, collection);
  setInt32(wordsFrom, <i32>from);
  setInt32(wordsTo, <i32>words.size);
  return isTaken ? PendingWork.none : PendingWork.words;
}

/** Adds the kept part of a content. Returns the line's `PendingWork`. */
function putContent(): i32 {
  let work: i32 = PendingWork.none;
  const row = rowCount - 1;
  if (role == Role.assistant) {
    for (let index = 0; index < blockCount; index++) {
      const block = blockAt(index);
      if (block.isCall && block.idFrom != 0)
        entryOf(calls, intern(calls, block.idFrom, <u32>(block.idTo - block.idFrom), NONE)).value = row;
    }
  }
  const start = contents.size;
  putKeptContent(contents);
  keptFrom = contents.at + start;
  keptTo = contents.at + contents.size;
  if (contents.size - start > MAX_KEPT) {
    contents.size = start;
    work = PendingWork.text;
  } else {
    setInt32(contentFrom, <i32>start);
    setInt32(contentSize, <i32>(contents.size - start));
  }
  return work;
}

/** Returns the address of an id that is the same as `givenId` in `parse/migrateLine.ts`. */
function givenId(object: u32): usize {
  for (let index = <i32>GIVEN_ID_BYTES - 1; index >= 0; index--, object >>= 4) {
    const digit = <u8>(object & 15);
    store<u8>(given + index, digit + (digit < 10 ? 0x30 : 0x57));
  }
  return given;
}

/** Records a row's id. If rows have the same id, the table has the last one, and `repeats` the others. */
export function keepId(at: usize, size: u32): void {
  const entry = entryOf(ids, intern(ids, at, size, NONE));
  const row = rowCount - 1;
  if (entry.value != NONE) {
    reserve(repeats, 8);
    appendInt(repeats, row);
    appendInt(repeats, entry.value);
  }
  entry.value = row;
  setInt32(idFrom, <i32>entry.from);
  setInt32(idSize, <i32>size);
}

/** Returns the row of the parent; `NONE` if the line has none, `MISSING_PARENT` if it has no row. */
function parentRow(): i32 {
  if (parent.from == 0) return NONE;
  const found = find(ids, parent.from, sizeOf(parent));
  return found == NONE ? MISSING_PARENT : entryOf(ids, found).value;
}
