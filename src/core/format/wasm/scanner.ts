/**
 * Turns the lines of a session file into rows without making strings or objects of them: one row per entry, with all that
 * heads and the catalog need. The caller copies the file's bytes into memory (`allocate`) and parses every line that a
 * scan stops at. `scanner/scanner.ts` is the only caller and keeps the order of calls.
 */
import { Collection, LineKind, NameTable, NONE, Part, PendingWork } from '../scanner/scannerLayout';
import { addLine, keptFrom, keptTo } from './rows/addLine';
import { entryContent, kind, readLine } from './line/line';
import { usageBytes } from './line/usage';
import { clear, GrowableBytes, reserveEntries, resetWithCapacity, Table } from './memory/memory';
import { content, role } from './line/message';
import { beginRows, doubleColumnAt, intColumnAt, rowCount } from './rows/rows';
import { calls, contents, files, ids, profiles, repeats, toolCalls, tools, usages, words } from './memory/storage';
import { Span } from './json/spans';
import { BLOCK } from './json/strings';
import { givenWords } from './words/givenText';
import { putWords } from './words/searchText';

export { addKey } from './json/keys';
export { addEntryText, addSimpleType } from './line/line';
export { addMessageText } from './line/message';
export { addCost, addTokens } from './line/usage';
export * from './rows/parsedRows';
export { foldText, reserveText } from './words/givenText';

/** Memory is reserved at the start for at most this many bytes of a file. */
const MAX_RESERVED: usize = 256 * 1024 * 1024;

let collection: i32 = Collection.none;
let line = 0;
let stoppedAt: usize = 0;
let pending: i32 = PendingWork.none;

/** Allocates memory for the file's bytes, or for the ids that the caller passes. */
export function allocate(capacity: usize): usize {
  return heap.alloc(capacity + BLOCK);
}

/** Begins a file of about `size` bytes. `collects`: a `Collection`. */
export function begin(collects: i32, size: usize): void {
  collection = collects;
  clear(ids);
  clear(profiles);
  clear(calls);
  clear(tools);
  clear(files);
  words.size = toolCalls.size = repeats.size = 0;
  // Initial sizes as shares of the file's size, about twice the sizes for usual files: unused memory isn't touched, but
  // an array that grows doesn't free its old place.
  const expected = min(size, MAX_RESERVED) / 1500;
  beginRows(expected);
  resetWithCapacity(usages, (expected / 2) * usageBytes);
  resetWithCapacity(contents, expected * 166);
  reserveEntries(ids, expected, 8);
  reserveEntries(calls, expected / 4, 48);
}

/**
 * Scans lines from `at` to `limit`; the byte before the limit, or the one at it, must be a line break. Stops at a line
 * that has to be parsed, and after one that leaves work to the caller (`pendingWork`).
 *
 * @param first the number of the first line
 * @param offset its offset in the file
 * @param firstObject in a file of version 1 its number among the file's objects; otherwise `NONE`
 * @returns the number of scanned lines
 */
export function scan(at: usize, limit: usize, first: i32, offset: f64, firstObject: i32): i32 {
  line = first;
  pending = PendingWork.none;
  const start = at;
  while (at < limit) {
    const isInChain = firstObject != NONE;
    const end = readLine(at, isInChain);
    if (end == 0 || end >= limit) break;
    const work = addLine(line, offset + <f64>(at - start), <i32>(end - at), isInChain ? firstObject + line - first : NONE, collection);
    if (work == NONE) break;
    at = end + 1;
    line++;
    pending = work;
    if (work != PendingWork.none) break;
  }
  stoppedAt = at;
  return line - first;
}

/**
 * Appends the searchable words of the message at `at`, whatever its place in the tree, without adding a row.
 *
 * @param end the line break after it
 * @returns the size of all words so far; `NONE` if the parser has to read the line, and nothing was appended
 */
export function addWords(at: usize, end: usize): i32 {
  if (readLine(at, true) != end || kind == LineKind.simple) return NONE;
  return putWords(0, Collection.words) ? <i32>words.size : NONE;
}

/** Address at which the last scan stopped. */
export function scanEnd(): usize {
  return stoppedAt;
}

/** `Role` and content of the last line that was scanned; an entry of an extension has none. */
export function lastRole(): i32 {
  return role;
}

export function contentStart(): usize {
  return lastContent().from;
}

export function contentEnd(): usize {
  return lastContent().to;
}

function lastContent(): Span {
  return kind == LineKind.message ? content : entryContent;
}

/** Range of the JSON that is kept of the last scanned line's content. */
export function keptStart(): usize {
  return keptFrom;
}

export function keptEnd(): usize {
  return keptTo;
}

/** `PendingWork` of the last scanned line. */
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
    case Part.givenWords:
      return givenWords;
    case Part.repeats:
      return repeats;
    case Part.toolCalls:
      return toolCalls;
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
