/**
 * What the catalog keeps of a file that was read: where its texts stand, which files its calls touch, what it cost and
 * when, where its branches end. Names, roles and payers are numbers here; the caller knows what they stand for.
 */
import { Call, files, ids, profiles, toolCalls, tools, usages } from './kept';
import { Bytes, createBytes, Entry, expect } from './memory';
import { COST, USAGE_NUMBERS } from './message';
import { idFrom, idSize, lines, messageTimes, offsets, othersCount, parents, profileOf, rowCount, sizes, times, usageOf, wordsFrom, wordsTo } from './rows';

const NONE: i32 = -1;
const DAY: f64 = 86_400_000;
/** Numbers are written with seven bits a byte: so many bytes at most. */
const INT: usize = 5;
const LONG: usize = 8;
// As in `catalog/lineTable.ts` and `catalog/touchTable.ts`.
const ACTIVE: u32 = 1;
const TEXTLESS: u32 = 2;
const CALLING: u32 = 4;
const ROLE: u32 = 8;
const WRITES: u32 = 1;
const SAME_ENTRY: u32 = 2;
const FILE: u32 = 4;
/** What a tool does with a file, if anything. */
const WRITE = 2;

/** Of a line that the caller has read: a tool, or a file and what is done with it. */
@unmanaged
class Noted {
  row: i32;
  tool: i32;
  file: i32;
  kind: i32;
}

/** What one payer took on one day. */
@unmanaged
class Cell {
  day: f64;
  payer: f64;
  input: f64;
  output: f64;
  cacheRead: f64;
  cacheWrite: f64;
  cost: f64;
}

/** Given by the caller, by profile: the number of its role; who pays, -1 if it doesn't count. */
const roles = createBytes(0);
const payers = createBytes(0);
/** What each tool does; of each file the first one that is the same. */
const kinds = createBytes(0);
const firsts = createBytes(0);
/** `Noted`, and pairs of rows of which the first stands for the second; both in the order of the rows. */
const noted = createBytes(0);
const targets = createBytes(0);

const table = createBytes(0);
/** Of words: line, beginning and end. */
const places = createBytes(0);
const touches = createBytes(0);
const cells = createBytes(0);
/** Rows that nothing hangs off. */
const tips = createBytes(0);
/** Tools and files in the order in which they came. */
const usedTools = createBytes(0);
const usedFiles = createBytes(0);

/** Of each: its place among the used ones and one more, 0 if it has none; and the row that had it last and one more, for files one of each kind. */
const toolPlaces = createBytes(0);
const toolRows = createBytes(0);
const filePlaces = createBytes(0);
const fileRows = createBytes(0);
/** Places of the tools of one row. */
const rowTools = createBytes(0);
/** By row: whether it is on the active branch; how many hang off it, up to two. */
const active = createBytes(0);
const children = createBytes(0);

const own = changetype<Cell>(heap.alloc(offsetof<Cell>()));

let touchedRow = NONE;
let lastLine = 0;
let lastOffset: i64 = 0;
let lastTime: i64 = 0;

/** Makes room for all that follows, so that nothing in memory moves before the next file. Lines that the caller has read have profiles of their own, and `more` tools and files. */
export function prepare(more: usize, notes: usize, itsTargets: usize): void {
  const rows = <usize>rowCount;
  const calls = toolCalls.size / offsetof<Call>() + notes;
  const profileBytes = (profiles.entries.size / offsetof<Entry>() + othersCount) << 2;
  const toolBytes = (tools.entries.size / offsetof<Entry>() + more) << 2;
  const fileBytes = (files.entries.size / offsetof<Entry>() + more) << 2;
  expect(roles, profileBytes);
  expect(payers, profileBytes);
  expect(kinds, toolBytes);
  expect(firsts, fileBytes);
  expect(noted, notes * offsetof<Noted>());
  expect(targets, itsTargets << 3);
  expect(table, rows * (5 * INT + 2 * LONG) + ids.bytes.size + itsTargets * longestId() + calls * INT);
  expect(places, rows * 12);
  expect(touches, calls * INT + rows * INT + ids.bytes.size);
  expect(cells, ((usages.size >> 3) / USAGE_NUMBERS) * offsetof<Cell>());
  expect(tips, rows << 2);
  expect(usedTools, toolBytes);
  expect(usedFiles, fileBytes);
  expect(rowTools, toolBytes);
  cleared(toolPlaces, toolBytes);
  cleared(toolRows, toolBytes);
  cleared(filePlaces, fileBytes);
  cleared(fileRows, fileBytes << 1);
  cleared(active, rows);
  cleared(children, rows);
}

/** Where the caller puts so many numbers of 32 bits: roles, payers, kinds, firsts, what it noted, targets. */
export function given(which: i32, count: usize): usize {
  const into = which == 0 ? roles : which == 1 ? payers : which == 2 ? kinds : which == 3 ? firsts : which == 4 ? noted : targets;
  into.size = count << 2;
  return into.at;
}

/** Where the place, the room and the size stand: of the table of lines, the places of words, the touches, the cells, the tips, the used tools and files. */
export function made(which: i32): usize {
  return changetype<usize>(which == 0 ? table : which == 1 ? places : which == 2 ? touches : which == 3 ? cells : which == 4 ? tips : which == 5 ? usedTools : usedFiles);
}

/**
 * Makes all of it. `leaf`: the row where the active branch ends, or -1. `base`: where the words begin that were taken here.
 * `time`: of the line that stands before the first one.
 *
 * @returns how many lines there are
 */
export function gather(leaf: i32, base: i32, time: f64): i32 {
  activate(leaf);
  touchedRow = NONE;
  lastLine = 0;
  lastOffset = 0;
  lastTime = <i64>time;
  let call = toolCalls.at;
  let note = noted.at;
  let target = targets.at;
  const callsEnd = call + toolCalls.size;
  const notesEnd = note + noted.size;
  const targetsEnd = target + targets.size;
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    pay(row);
    const isCalling = isFor(call, callsEnd, row) || isFor(note, notesEnd, row);
    rowTools.size = 0;
    for (; isFor(call, callsEnd, row); call += offsetof<Call>()) {
      const one = changetype<Call>(call);
      take(row, one.tool, one.file, one.tool < 0 ? 0 : intAt(kinds, one.tool));
    }
    for (; isFor(note, notesEnd, row); note += offsetof<Noted>()) {
      const one = changetype<Noted>(note);
      take(row, one.tool, one.file, one.kind);
    }
    let entry = row;
    if (isFor(target, targetsEnd, row)) {
      entry = load<i32>(target, 4);
      target += 8;
    }
    const hasText = intAt(wordsFrom, row) < intAt(wordsTo, row);
    if (hasText) place(row, base);
    if (!hasText && !isCalling) continue;
    putLine(row, entry, hasText);
    count++;
  }
  for (let row = 0; row < rowCount; row++) if (load<u8>(children.at + row) == 0) add(tips, row);
  return count;
}

/** What a tip's entries took that no other branch has, as a cell. */
export function takenBy(tip: i32): usize {
  own.input = own.output = own.cacheRead = own.cacheWrite = own.cost = 0;
  let row = tip;
  do {
    if (payerOf(row) != NONE) addUsage(own, row);
    row = intAt(parents, row);
  } while (row != NONE && load<u8>(children.at + row) == 1);
  return changetype<usize>(own);
}

function longestId(): usize {
  let longest = 0;
  for (let row = 0; row < rowCount; row++) longest = max(longest, intAt(idSize, row));
  return longest;
}

/** Parents stand before their children. */
function activate(leaf: i32): void {
  for (let row = leaf; row != NONE; row = intAt(parents, row)) store<u8>(active.at + row, 1);
  for (let row = 0; row < rowCount; row++) {
    const parent = intAt(parents, row);
    if (parent == NONE) continue;
    const known = load<u8>(children.at + parent);
    if (known < 2) store<u8>(children.at + parent, known + 1);
  }
}

/** What a call names: the tool, once for each row; the file, once for each row and kind. */
function take(row: i32, tool: i32, file: i32, kind: i32): void {
  if (tool != NONE && intAt(toolRows, tool) != row + 1) {
    setInt(toolRows, tool, row + 1);
    add(rowTools, placeAmong(usedTools, toolPlaces, tool));
  }
  if (file == NONE || kind == 0) return;
  const first = intAt(firsts, file);
  const slot = first * 2 + kind - 1;
  if (intAt(fileRows, slot) == row + 1) return;
  setInt(fileRows, slot, row + 1);
  const isSame = row == touchedRow;
  touchedRow = row;
  putNumber(touches, <u32>placeAmong(usedFiles, filePlaces, first) * FILE + (kind == WRITE ? WRITES : 0) + (isSame ? SAME_ENTRY : 0));
  if (!isSame) putId(touches, row);
}

function placeAmong(used: Bytes, known: Bytes, name: i32): i32 {
  const place = intAt(known, name);
  if (place != 0) return place - 1;
  add(used, name);
  setInt(known, name, <i32>(used.size >> 2));
  return <i32>(used.size >> 2) - 1;
}

/** Of two on one line both answer: what might stand between them is found not to be there when the line is looked at. */
function place(row: i32, base: i32): void {
  const line = intAt(lines, row);
  const end = places.at + places.size;
  if (places.size > 0 && load<i32>(end - 12) == line) {
    store<i32>(end - 4, base + intAt(wordsTo, row));
    return;
  }
  add(places, line);
  add(places, base + intAt(wordsFrom, row));
  add(places, base + intAt(wordsTo, row));
}

function putLine(row: i32, entry: i32, hasText: bool): void {
  const line = intAt(lines, row);
  const offset = <i64>numberAt(offsets, row);
  const time = <i64>Math.floor(timeOf(row) + 0.5);
  const tools = rowTools.size >> 2;
  putNumber(table, line - lastLine);
  putSigned(table, offset - lastOffset);
  putNumber(table, intAt(sizes, row));
  putNumber(table, <u32>intAt(roles, intAt(profileOf, row)) * ROLE + (load<u8>(active.at + entry) == 1 ? ACTIVE : 0) + (hasText ? 0 : TEXTLESS) + (tools > 0 ? CALLING : 0));
  putSigned(table, time - lastTime);
  putId(table, entry);
  if (tools > 0) {
    putNumber(table, tools);
    for (let index: usize = 0; index < tools; index++) putNumber(table, intAt(rowTools, <i32>index));
  }
  lastLine = line;
  lastOffset = offset;
  lastTime = time;
}

function pay(row: i32): void {
  const payer = payerOf(row);
  if (payer == NONE) return;
  const day = Math.floor(timeOf(row) / DAY);
  let cell = changetype<Cell>(cells.at + cells.size - offsetof<Cell>());
  // Mostly it is that of the row before.
  let at = cells.at + cells.size;
  while (at > cells.at) {
    at -= offsetof<Cell>();
    cell = changetype<Cell>(at);
    if (cell.day == day && cell.payer == payer) {
      addUsage(cell, row);
      return;
    }
  }
  cell = changetype<Cell>(cells.at + cells.size);
  cells.size += offsetof<Cell>();
  cell.day = day;
  cell.payer = payer;
  cell.input = cell.output = cell.cacheRead = cell.cacheWrite = cell.cost = 0;
  addUsage(cell, row);
}

function payerOf(row: i32): i32 {
  const profile = intAt(profileOf, row);
  return profile == NONE ? NONE : intAt(payers, profile);
}

function addUsage(cell: Cell, row: i32): void {
  const at = usages.at + (<usize>intAt(usageOf, row) << 3);
  cell.input += load<f64>(at);
  cell.output += load<f64>(at, 8);
  cell.cacheRead += load<f64>(at, 16);
  cell.cacheWrite += load<f64>(at, 24);
  cell.cost += load<f64>(at + (COST << 3));
}

/** When a row's message says that it was, else when the row was written; always a date. */
function timeOf(row: i32): f64 {
  const time = numberAt(messageTimes, row);
  return time == time ? time : numberAt(times, row);
}

/** Of what stands in the order of the rows: whether the next one is a row's. */
function isFor(at: usize, end: usize, row: i32): bool {
  return at < end && load<i32>(at) == row;
}

function intAt(column: Bytes, index: i32): i32 {
  return load<i32>(column.at + (<usize>index << 2));
}

function setInt(column: Bytes, index: i32, value: i32): void {
  store<i32>(column.at + (<usize>index << 2), value);
}

function numberAt(column: Bytes, row: i32): f64 {
  return load<f64>(column.at + (<usize>row << 3));
}

function add(bytes: Bytes, value: i32): void {
  store<i32>(bytes.at + bytes.size, value);
  bytes.size += 4;
}

/** Seven bits a byte, the low ones first. */
function putNumber(bytes: Bytes, value: u64): void {
  let at = bytes.at + bytes.size;
  for (; value >= 128; value >>= 7) store<u8>(at++, <u8>value | 128);
  store<u8>(at++, <u8>value);
  bytes.size = at - bytes.at;
}

function putSigned(bytes: Bytes, value: i64): void {
  putNumber(bytes, value < 0 ? -value * 2 - 1 : value * 2);
}

function putId(bytes: Bytes, row: i32): void {
  const size = intAt(idSize, row);
  putNumber(bytes, size);
  memory.copy(bytes.at + bytes.size, ids.bytes.at + <usize>intAt(idFrom, row), size);
  bytes.size += size;
}

function cleared(bytes: Bytes, size: usize): void {
  expect(bytes, size);
  memory.fill(bytes.at, 0, size);
}
