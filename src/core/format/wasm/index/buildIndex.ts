/**
 * The catalog's data for a scanned file: the positions of its texts, the files its calls touch, and its usage by day.
 * Names, roles and usage sources are numbers here; the caller maps them to strings.
 */
import { IndexInput, IndexOutput, LABEL_TARGET_LENGTH, NOTE_LENGTH, TouchKind } from '../../scanner/indexLayout';
import { NONE } from '../../scanner/scannerLayout';
import { costCells, addRowCost, usageSources, prepareCosts } from './costs';
import { Call, files, profiles, toolCalls, tools } from '../memory/storage';
import { blocks, wordPositions, prepareLines, putLine, putWordPosition, table } from './lineTable';
import { GrowableBytes, createBytes, Entry, resetWithCapacity, Table } from '../memory/memory';
import { intAt } from '../memory/integers';
import { parsedRowCount, rowCount, wordsFrom, wordsTo } from '../rows/rows';
import { canonicalFiles, toolKinds, prepareTouches, rowTools, addTouches, touches, usedFiles, usedTools } from './touches';
import { roles } from './roles';
import { findActiveBranch, prepareActiveBranch } from './activeBranch';

/** A note of the caller on a line that it parsed: a tool, or a file and its `TouchKind`. */
@unmanaged
class CallerNote {
  row: i32;
  tool: i32;
  file: i32;
  kind: i32;
}
if (offsetof<CallerNote>() != NOTE_LENGTH << 2) ERROR('CallerNote differs from NOTE_LENGTH');

const LABEL_TARGET_BYTES: usize = LABEL_TARGET_LENGTH << 2;

/** Inputs of the caller, both in row order: `CallerNote`s, and pairs of a label's row and its target's row. */
const notes = createBytes(0);
const labelTargets = createBytes(0);

/**
 * Reserves memory for all inputs and outputs, so that nothing moves before the next file. Lines that the caller parsed
 * have profiles of their own.
 *
 * @param moreNames the most tools and the most files that the caller adds
 */
export function reserveIndex(moreNames: usize, noteCount: usize, labelTargetCount: usize): void {
  const calls = toolCalls.size / offsetof<Call>() + noteCount;
  const profileBytes = intBytes(profiles, parsedRowCount);
  resetWithCapacity(notes, noteCount * offsetof<CallerNote>());
  resetWithCapacity(labelTargets, labelTargetCount * LABEL_TARGET_BYTES);
  prepareActiveBranch();
  prepareCosts(profileBytes);
  prepareTouches(intBytes(tools, moreNames), intBytes(files, moreNames), calls);
  prepareLines(profileBytes, calls, labelTargetCount);
}

/** Returns the address for `count` 32-bit integers of an `IndexInput`. */
export function indexInput(which: i32, count: usize): usize {
  const input = inputBytes(which);
  input.size = count << 2;
  return input.at;
}

function inputBytes(which: i32): GrowableBytes {
  switch (which) {
    case IndexInput.roles:
      return roles;
    case IndexInput.usageSources:
      return usageSources;
    case IndexInput.toolKinds:
      return toolKinds;
    case IndexInput.canonicalFiles:
      return canonicalFiles;
    case IndexInput.notes:
      return notes;
    default:
      return labelTargets;
  }
}

/** Returns the address of the `GrowableBytes` of an `IndexOutput`. */
export function indexOutput(which: i32): usize {
  return changetype<usize>(outputBytes(which));
}

function outputBytes(which: i32): GrowableBytes {
  switch (which) {
    case IndexOutput.lines:
      return table;
    case IndexOutput.blocks:
      return blocks;
    case IndexOutput.wordPositions:
      return wordPositions;
    case IndexOutput.touches:
      return touches;
    case IndexOutput.costCells:
      return costCells;
    case IndexOutput.usedTools:
      return usedTools;
    default:
      return usedFiles;
  }
}

/**
 * Makes all outputs.
 *
 * @param leaf the last row of the active branch, or `NONE`
 * @param base the offset of the scanner's words among all words of the file
 * @returns false if there are too many days and usage sources to be searched one by one
 */
export function buildIndex(leaf: i32, base: i32): bool {
  findActiveBranch(leaf);
  let call = toolCalls.at;
  let note = notes.at;
  let target = labelTargets.at;
  const callsEnd = call + toolCalls.size;
  const notesEnd = note + notes.size;
  const targetsEnd = target + labelTargets.size;
  for (let row = 0; row < rowCount; row++) {
    if (!addRowCost(row)) return false;
    let isCalling = isAtRow(note, notesEnd, row);
    rowTools.size = 0;
    for (; isAtRow(call, callsEnd, row); call += offsetof<Call>()) {
      const one = changetype<Call>(call);
      addTouches(row, one.tool, one.file, one.tool == NONE ? TouchKind.none : intAt(toolKinds, one.tool));
    }
    for (; isAtRow(note, notesEnd, row); note += offsetof<CallerNote>()) {
      const one = changetype<CallerNote>(note);
      addTouches(row, one.tool, one.file, one.kind);
    }
    isCalling = isCalling || rowTools.size > 0;
    let entry = row;
    if (isAtRow(target, targetsEnd, row)) {
      entry = load<i32>(target, 4);
      target += LABEL_TARGET_BYTES;
    }
    const hasText = intAt(wordsFrom, row) < intAt(wordsTo, row);
    if (hasText) putWordPosition(row, base);
    if (!hasText && !isCalling) continue;
    putLine(row, entry, hasText);
  }
  return true;
}

/** Returns whether the next item of a list in row order belongs to `row`. */
function isAtRow(at: usize, end: usize, row: i32): bool {
  return at < end && load<i32>(at) == row;
}

/** Bytes of one 32-bit integer for each entry of a table, and for `more`. */
function intBytes(table: Table, more: usize): usize {
  return (table.entries.size / offsetof<Entry>() + more) << 2;
}
