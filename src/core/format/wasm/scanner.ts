/**
 * Turns the messages of a session file into rows without parsing them: one row per message, with all that heads and the
 * catalog need. The caller copies the file's bytes into memory (`allocate`) and parses every line that isn't such a
 * message. `columns/scanner.ts` is the only caller and keeps the order of calls.
 */
import {
  NameTable,
  NONE,
  Part,
  PendingWork,
  PROFILE_NAME_MARK,
  ProfileFlag,
  Role,
  USAGE_LENGTH,
  UsageField,
} from '../columns/scannerLayout';
import { calls, contents, files, ids, profiles, toolCalls, tools, usages, words } from './storage';
import {
  append,
  clear,
  createBytes,
  entryOf,
  GrowableBytes,
  resetWithCapacity,
  reserveEntries,
  find,
  intern,
  reserve,
  Table,
} from './memory';
import { blockAt, blockCount, hasText } from './contentBlocks';
import {
  content,
  hasUsage,
  id,
  isError,
  messageEnd,
  messageTime,
  model,
  parent,
  provider,
  responseModel,
  role,
  stopReason,
  time,
  toolCall,
  toolName,
  usage,
} from './message';
import {
  addRow,
  beginRows,
  callOf,
  callPlace,
  contentFrom,
  contentSize,
  doubleColumnAt,
  idFrom,
  idSize,
  intColumnAt,
  messageTimes,
  rowCount,
  setInt32,
  setDouble,
  times,
  usageOf,
  wordsFrom,
  wordsTo,
} from './rows';
import { BLOCK } from './strings';
import { hasWords, putWords } from './searchText';

export * from './extraData';
export * from './buildIndex';

/** Memory is reserved at the start for at most this many bytes of a file. */
const MAX_RESERVED: usize = 256 * 1024 * 1024;
/** A parent that has no row. */
const MISSING_PARENT: i32 = NONE - 1;
/** Longer contents aren't kept: a row's text shows little of them. */
const MAX_CONTENT: usize = 2048;

const profile = createBytes(1024);

let collectsWords = false;
let line = 0;
let stoppedAt: usize = 0;
let pending: i32 = PendingWork.none;

/** Allocates memory for the file's bytes, or for the ids that the caller passes. */
export function allocate(capacity: usize): usize {
  return heap.alloc(capacity + BLOCK);
}

/** Begins a file of about `size` bytes. `withWords`: also collects searchable words and tool calls. */
export function begin(withWords: bool, size: usize): void {
  collectsWords = withWords;
  clear(ids);
  clear(profiles);
  clear(calls);
  clear(tools);
  clear(files);
  words.size = toolCalls.size = 0;
  // The shares of a file with large tool results; whatever is larger grows.
  const expected = min(size, MAX_RESERVED) / 3000;
  beginRows(expected);
  resetWithCapacity(usages, (expected / 2) * (USAGE_LENGTH << 3));
  resetWithCapacity(contents, expected * 166);
  reserveEntries(ids, expected, 8);
  reserveEntries(calls, expected / 2, 24);
}

/**
 * Scans messages from `at` to `limit`; the byte before the limit, or the one at it, must be a line break. Stops at a
 * line that isn't such a message, and after one that leaves work to the caller (`pendingWork`).
 *
 * @param first the number of the first line
 * @param offset its offset in the file
 * @returns the number of scanned lines
 */
export function scan(at: usize, limit: usize, first: i32, offset: f64): i32 {
  line = first;
  pending = PendingWork.none;
  const start = at;
  while (at < limit) {
    const end = messageEnd(at);
    // A line whose parent comes later, or never, is left to the caller.
    if (end == 0 || end >= limit) break;
    const work = addMessage(offset + <f64>(at - start), <i32>(end - at));
    if (work == NONE) break;
    at = end + 1;
    line++;
    pending = work;
    if (work != PendingWork.none) break;
  }
  stoppedAt = at;
  return line - first;
}

/** Address at which the last scan stopped. */
export function scanEnd(): usize {
  return stoppedAt;
}

/** Adds the row of an entry that the caller parsed. Its id is at `at`, its parent's at `parentAt`; a size of 0 means no parent. */
export function addParsedEntry(
  at: usize,
  size: u32,
  parentAt: usize,
  parentSize: u32,
  onLine: i32,
  offset: f64,
  length: i32,
  itsTime: f64,
  itsMessageTime: f64,
): void {
  const before = parentSize == 0 ? NONE : find(ids, parentAt, parentSize);
  addRow(onLine, offset, length, before == NONE ? NONE : entryOf(ids, before).value, NONE);
  setDouble(times, itsTime);
  setDouble(messageTimes, itsMessageTime);
  keepId(at, size);
}

/** Sets the usage of the row that was added last. */
export function putUsage(input: f64, output: f64, cacheRead: f64, cacheWrite: f64, cost: f64): void {
  setInt32(usageOf, <i32>(usages.size >> 3));
  const at = reserve(usages, USAGE_LENGTH << 3);
  memory.fill(at, 0, USAGE_LENGTH << 3);
  store<f64>(at, input, UsageField.input << 3);
  store<f64>(at, output, UsageField.output << 3);
  store<f64>(at, cacheRead, UsageField.cacheRead << 3);
  store<f64>(at, cacheWrite, UsageField.cacheWrite << 3);
  store<f64>(at, cost, UsageField.totalCost << 3);
  usages.size += USAGE_LENGTH << 3;
}

/** Returns the value of the call with the id at `at`: its row, or the caller's number below `NONE`; `NONE` if there is no such call. */
export function findCall(at: usize, size: u32): i32 {
  const found = find(calls, at, size);
  return found == NONE ? NONE : entryOf(calls, found).value;
}

export function putCall(at: usize, size: u32, value: i32): void {
  entryOf(calls, intern(calls, at, size, NONE)).value = value;
}

/** `Role` and content of the message that was scanned last. */
export function lastRole(): i32 {
  return role;
}

export function contentStart(): usize {
  return content.from;
}

export function contentEnd(): usize {
  return content.to;
}

/** `PendingWork` of the last scanned message. */
export function pendingWork(): i32 {
  return pending;
}

/** Returns the address of a `DoubleColumn`. */
export function doubleColumn(column: i32): usize {
  return doubleColumnAt(column).at;
}

/** Returns the address of an `IntColumn`. */
export function intColumn(column: i32): usize {
  return intColumnAt(column).at;
}

export function count(): i32 {
  return rowCount;
}

/** Returns the address of the `GrowableBytes` of a `Part`. */
export function part(which: i32): usize {
  return changetype<usize>(partBytes(which));
}

function partBytes(which: i32): GrowableBytes {
  switch (which) {
    case Part.usages:
      return usages;
    case Part.contents:
      return contents;
    default:
      return words;
  }
}

/** Returns the address of the `Table` of a `NameTable`. */
export function table(which: i32): usize {
  return changetype<usize>(nameTable(which));
}

function nameTable(which: i32): Table {
  switch (which) {
    case NameTable.ids:
      return ids;
    case NameTable.profiles:
      return profiles;
    case NameTable.calls:
      return calls;
    case NameTable.tools:
      return tools;
    default:
      return files;
  }
}

/** Returns the `PendingWork` of the message; `NONE` if its parent has no row, and nothing was added. */
function addMessage(offset: f64, size: i32): i32 {
  const before = parentRow();
  if (before == MISSING_PARENT) return NONE;
  addRow(line, offset, size, before, profileNumber());
  setDouble(times, time);
  setDouble(messageTimes, messageTime);
  keepId(id.from, <u32>(id.to - id.from));
  setInt32(usageOf, <i32>(usages.size >> 3));
  if (hasUsage) append(usages, usage, USAGE_LENGTH << 3);
  if (role != Role.toolResult) return putContent();
  if (toolCall.from != 0) {
    const call = intern(calls, toolCall.from, <u32>(toolCall.to - toolCall.from), NONE);
    setInt32(callOf, call);
    setInt32(callPlace, entryOf(calls, call).value);
  }
  return PendingWork.none;
}

/** Adds what only user and assistant messages have. Returns their `PendingWork`. */
function putContent(): i32 {
  let work: i32 = PendingWork.none;
  const row = rowCount - 1;
  if (role == Role.assistant) {
    for (let index = 0; index < blockCount; index++) {
      const block = blockAt(index);
      if (block.isCall && block.idFrom != 0) putCall(block.idFrom, <u32>(block.idTo - block.idFrom), row);
    }
  }
  const size = content.to - content.from;
  if (size > MAX_CONTENT) work = PendingWork.text;
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
      work |= PendingWork.words;
    }
    setInt32(wordsFrom, <i32>from);
    setInt32(wordsTo, <i32>words.size);
  }
  return work;
}

/** Records a row's id. If rows have the same id, the last one counts; the table then has fewer ids than there are rows. */
function keepId(at: usize, size: u32): void {
  const entry = entryOf(ids, intern(ids, at, size, NONE));
  entry.value = rowCount - 1;
  setInt32(idFrom, <i32>entry.from);
  setInt32(idSize, <i32>size);
}

/** Returns the row of the parent; `NONE` if the message has none, `MISSING_PARENT` if it has no row. */
function parentRow(): i32 {
  if (parent.from == 0) return NONE;
  const size = <u32>(parent.to - parent.from);
  const found = find(ids, parent.from, size);
  return found == NONE ? MISSING_PARENT : entryOf(ids, found).value;
}

/** Returns the index of the message's profile: what many messages have in common. `PROFILE_NAME_MARK` describes its bytes. */
function profileNumber(): i32 {
  profile.size = 0;
  const at = reserve(profile, 2);
  const isResult = role == Role.toolResult;
  store<u8>(at, <u8>role);
  let flags: i32 = ProfileFlag.printable;
  if (!isResult && hasText) flags |= ProfileFlag.hasText;
  if (hasUsage) flags |= ProfileFlag.hasUsage;
  if (messageTime == messageTime) flags |= ProfileFlag.hasMessageTime;
  if (isResult && toolCall.from != 0) flags |= ProfileFlag.hasToolCallId;
  if (isResult && isError) flags |= ProfileFlag.isError;
  store<u8>(at + 1, <u8>flags);
  profile.size = 2;
  const isAnswer = role == Role.assistant;
  const hasModel = isAnswer && provider.from != 0 && model.from != 0;
  putName(provider.from, provider.to, hasModel);
  putName(model.from, model.to, hasModel);
  putName(stopReason.from, stopReason.to, isAnswer && stopReason.from != 0);
  putName(toolName.from, toolName.to, isResult && toolName.from != 0);
  putName(responseModel.from, responseModel.to, isAnswer && responseModel.from != 0);
  return intern(profiles, profile.at, <u32>profile.size, rowCount);
}

/** Appends a NUL character, and the mark and the name if there is one. */
function putName(from: usize, to: usize, isThere: bool): void {
  store<u8>(reserve(profile, 2), 0);
  profile.size++;
  if (!isThere) return;
  store<u8>(reserve(profile, 1), PROFILE_NAME_MARK);
  profile.size++;
  append(profile, from, to - from);
}
