/**
 * The messages of a session file by their bytes, one after the other. What heads and the catalog need of each is put
 * into a row. Whoever calls brings the bytes into memory (`allocate`), and parses every line that is no such message.
 */
import { calls, contents, files, ids, profiles, toolCalls, tools, usages, words } from './storage';
import { append, clear, createBytes, entryOf, resetWithCapacity, reserveEntries, find, intern, reserve } from './memory';
import { blockAt, blockCount, hasText } from './contentBlocks';
import {
  ASSISTANT, content, COST, hasUsage, id, isError, messageEnd, messageTime, model, parent, provider, role, stopReason, time, TOOL_RESULT, toolCall, toolName, usage, USAGE_NUMBERS,
} from './message';
import { addRow, beginRows, callOf, callPlace, columnAt, contentFrom, contentSize, idFrom, idSize, messageTimes, rowCount, setInt32, setDouble, times, usageOf, wordsFrom, wordsTo } from './rows';
import { BLOCK } from './strings';
import { hasWords, putWords } from './searchText';

export * from './extraData';
export * from './buildIndex';

/** No room is made at once for what is beyond this in a file. */
const MAX_RESERVED: usize = 256 * 1024 * 1024;
const NONE: i32 = -1;
/** Contents of more bytes are not kept: rows show little of them. */
const MAX_CONTENT: usize = 2048;
/** The row's text is to be made at once; its words are to be taken of what is parsed. */
const PENDING_TEXT = 1;
const PENDING_WORDS = 2;

const profile = createBytes(1024);

let collectsWords = false;
let line = 0;
let stoppedAt: usize = 0;
let leftOver = 0;

/** Memory for bytes that are read, and for a text that the caller asks about. */
export function allocate(capacity: usize): usize {
  return heap.alloc(capacity + BLOCK);
}

/** Begins a file of about so many bytes. `searched`: words and calls are to be taken, too. */
export function begin(searched: bool, size: usize): void {
  collectsWords = searched;
  clear(ids);
  clear(profiles);
  clear(calls);
  clear(tools);
  clear(files);
  words.size = toolCalls.size = 0;
  // Of files with large results; what is other grows.
  const expected = min(size, MAX_RESERVED) / 3000;
  beginRows(expected);
  resetWithCapacity(usages, (expected / 2) * (USAGE_NUMBERS << 3));
  resetWithCapacity(contents, expected * 166);
  reserveEntries(ids, expected, 8);
  reserveEntries(calls, expected / 2, 24);
}

/**
 * Takes messages from `at` on whose line breaks stand before `limit`, the first of them on line `first`, which is at
 * `offset` in the file. There must be a line break at the last place before the limit, or at it. Stops at what is no
 * message, and behind one of which something is left to the caller.
 *
 * @returns how many lines were taken
 */
export function scan(at: usize, limit: usize, first: i32, offset: f64): i32 {
  line = first;
  leftOver = 0;
  const start = at;
  while (at < limit) {
    const end = messageEnd(at);
    // Nothing is known of a parent that comes later, or never.
    if (end == 0 || end >= limit) break;
    const left = addMessage(offset + <f64>(at - start), <i32>(end - at));
    if (left == NONE) break;
    at = end + 1;
    line++;
    leftOver = left;
    if (left != 0) break;
  }
  stoppedAt = at;
  return line - first;
}

/** Where the last scan stopped. */
export function scanEnd(): usize {
  return stoppedAt;
}

/** A line that is no such message, with its id at `at` and its parent's at `parentAt`; without a size it has no parent. */
export function addParsedEntry(at: usize, size: u32, parentAt: usize, parentSize: u32, onLine: i32, offset: f64, length: i32, itsTime: f64, itsMessageTime: f64): void {
  const before = parentSize == 0 ? NONE : find(ids, parentAt, parentSize);
  addRow(onLine, offset, length, before == NONE ? NONE : entryOf(ids, before).value, NONE);
  setDouble(times, itsTime);
  setDouble(messageTimes, itsMessageTime);
  keepId(at, size);
}

/** What the row before cost. */
export function putUsage(input: f64, output: f64, cacheRead: f64, cacheWrite: f64, cost: f64): void {
  setInt32(usageOf, <i32>(usages.size >> 3));
  const at = reserve(usages, USAGE_NUMBERS << 3);
  memory.fill(at, 0, USAGE_NUMBERS << 3);
  store<f64>(at, input);
  store<f64>(at, output, 8);
  store<f64>(at, cacheRead, 16);
  store<f64>(at, cacheWrite, 24);
  store<f64>(at, cost, COST << 3);
  usages.size += USAGE_NUMBERS << 3;
}

/** What is known of the call with the id at `at`: the row that it is in, below -1 what the caller said; -1 if nothing. */
export function findCall(at: usize, size: u32): i32 {
  const found = find(calls, at, size);
  return found == NONE ? NONE : entryOf(calls, found).value;
}

export function putCall(at: usize, size: u32, value: i32): void {
  entryOf(calls, intern(calls, at, size, NONE)).value = value;
}

/** Of the row before: its role, and where its content stands. */
export function lastRole(): i32 {
  return role;
}

export function contentStart(): usize {
  return content.from;
}

export function contentEnd(): usize {
  return content.to;
}

/** `LONG` and `PENDING_WORDS` of the row before, if the last scan stopped behind it. */
export function pendingWork(): i32 {
  return leftOver;
}

/** Where what is known of the rows stands, one number of 64 bits each (the first three) or of 32. */
export function column(index: i32): usize {
  return columnAt(index).at;
}

export function count(): i32 {
  return rowCount;
}

/** Where the place, the room and the size stand: of the usages, the contents, the words. */
export function part(which: i32): usize {
  return changetype<usize>(which == 0 ? usages : which == 1 ? contents : words);
}

/** Tables, in this order: of ids, profiles, calls, tools, files. */
export function table(index: i32): usize {
  return changetype<usize>(index == 0 ? ids : index == 1 ? profiles : index == 2 ? calls : index == 3 ? tools : files);
}

/** @returns what is left to the caller; `NONE` if the parent is not there */
function addMessage(offset: f64, size: i32): i32 {
  const before = parentRow();
  if (before == NONE - 1) return NONE;
  addRow(line, offset, size, before, profileNumber());
  setDouble(times, time);
  setDouble(messageTimes, messageTime);
  keepId(id.from, <u32>(id.to - id.from));
  setInt32(usageOf, <i32>(usages.size >> 3));
  if (hasUsage) append(usages, usage, USAGE_NUMBERS << 3);
  if (role != TOOL_RESULT) return putContent();
  if (toolCall.from != 0) {
    const call = intern(calls, toolCall.from, <u32>(toolCall.to - toolCall.from), NONE);
    setInt32(callOf, call);
    setInt32(callPlace, entryOf(calls, call).value);
  }
  return 0;
}

/** What only those have that say something. */
function putContent(): i32 {
  let left = 0;
  const row = rowCount - 1;
  if (role == ASSISTANT) {
    for (let index = 0; index < blockCount; index++) {
      const block = blockAt(index);
      if (block.isCall && block.idFrom != 0) putCall(block.idFrom, <u32>(block.idTo - block.idFrom), row);
    }
  }
  const size = content.to - content.from;
  if (size > MAX_CONTENT) left = PENDING_TEXT;
  else {
    setInt32(contentFrom, <i32>contents.size);
    setInt32(contentSize, <i32>size);
    append(contents, content.from, size);
  }
  if (collectsWords) {
    const from = words.size;
    const callsFrom = toolCalls.size;
    const taken = putWords(row);
    if (!taken || !hasWords) words.size = from;
    if (!taken) {
      toolCalls.size = callsFrom;
      left |= PENDING_WORDS;
    }
    setInt32(wordsFrom, <i32>from);
    setInt32(wordsTo, <i32>words.size);
  }
  return left;
}

/** Of a row with the same id as an earlier one the later one counts; that there are such is seen by their number. */
function keepId(at: usize, size: u32): void {
  const entry = entryOf(ids, intern(ids, at, size, NONE));
  entry.value = rowCount - 1;
  setInt32(idFrom, <i32>entry.from);
  setInt32(idSize, <i32>size);
}

/** The row of the parent; -1 if there is none, -2 if it is not there. */
function parentRow(): i32 {
  if (parent.from == 0) return NONE;
  const size = <u32>(parent.to - parent.from);
  const found = find(ids, parent.from, size);
  return found == NONE ? NONE - 1 : entryOf(ids, found).value;
}

/** What many messages have in common: their role, what they have, and four names with NUL characters between them. */
function profileNumber(): i32 {
  profile.size = 0;
  const at = reserve(profile, 2);
  const saysSomething = role != TOOL_RESULT && hasText;
  const isResult = role == TOOL_RESULT;
  store<u8>(at, <u8>role);
  store<u8>(at + 1, 0x20 | u8(saysSomething) | (u8(hasUsage) << 1) | (u8(messageTime == messageTime) << 2) | (u8(isResult && toolCall.from != 0) << 3) | (u8(isResult && isError) << 4));
  profile.size = 2;
  const isAnswer = role == ASSISTANT;
  const hasModel = isAnswer && provider.from != 0 && model.from != 0;
  putName(provider.from, provider.to, hasModel);
  putName(model.from, model.to, hasModel);
  putName(stopReason.from, stopReason.to, isAnswer && stopReason.from != 0);
  putName(toolName.from, toolName.to, isResult && toolName.from != 0);
  return intern(profiles, profile.at, <u32>profile.size, rowCount);
}

/** An equals sign and the name, or nothing if there is none. */
function putName(from: usize, to: usize, isThere: bool): void {
  store<u8>(reserve(profile, 2), 0);
  profile.size++;
  if (!isThere) return;
  store<u8>(reserve(profile, 1), 0x3d);
  profile.size++;
  append(profile, from, to - from);
}
