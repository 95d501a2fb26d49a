/**
 * What the catalog keeps of a file that was read: where its texts stand, which files its calls touch, what it cost and
 * when, where its branches end. Names, roles and payers are numbers here; the caller knows what they stand for.
 */
import { cells, addRowCost, usageSources, prepareCosts } from './costs';
import { Call, files, profiles, toolCalls, tools } from './storage';
import { blocks, places, prepareLines, putLine, putPlace, roles, table } from './lineTable';
import { GrowableBytes, createBytes, Entry, resetWithCapacity, Table } from './memory';
import { intAt } from './integers';
import { parsedRowCount, rowCount, wordsFrom, wordsTo } from './rows';
import { canonicalFiles, toolKinds, prepareTouches, rowTools, addTouches, touches, usedFiles, usedTools } from './touches';
import { findBranches, prepareTree, tips } from './branches';

export { ownCost } from './costs';

/** Of a line that the caller has read: a tool, or a file and what is done with it. */
@unmanaged
class CallerNote {
  row: i32;
  tool: i32;
  file: i32;
  kind: i32;
}

/** Given by the caller, both in the order of the rows: `Noted`, and pairs of rows of which the first stands for the second. */
const noted = createBytes(0);
const targets = createBytes(0);

/** Makes room for all that follows, so that nothing in memory moves before the next file. Lines that the caller has read have profiles of their own, and `more` tools and files. */
export function reserveIndex(more: usize, notes: usize, itsTargets: usize): void {
  const calls = toolCalls.size / offsetof<Call>() + notes;
  const profileBytes = intsFor(profiles, parsedRowCount);
  resetWithCapacity(noted, notes * offsetof<CallerNote>());
  resetWithCapacity(targets, itsTargets << 3);
  prepareTree();
  prepareCosts(profileBytes);
  prepareTouches(intsFor(tools, more), intsFor(files, more), calls);
  prepareLines(profileBytes, calls, itsTargets);
}

/** Where the caller puts so many numbers of 32 bits: roles, payers, kinds, firsts, what it noted, targets. */
export function indexInput(which: i32, count: usize): usize {
  const into = which == 0 ? roles : which == 1 ? usageSources : which == 2 ? toolKinds : which == 3 ? canonicalFiles : which == 4 ? noted : targets;
  into.size = count << 2;
  return into.at;
}

/** Where the place, the room and the size stand: of the table of lines, its blocks, the places of words, the touches, the cells, the tips, the used tools and files. */
export function indexOutput(which: i32): usize {
  return changetype<usize>(which == 0 ? table : which == 1 ? blocks : which == 2 ? places : which == 3 ? touches : which == 4 ? cells : which == 5 ? tips : which == 6 ? usedTools : usedFiles);
}

/**
 * Makes all of it. `leaf`: the row where the active branch ends, or -1. `base`: where the words begin that were taken here.
 *
 * @returns whether it could: not if there are more days and payers than can be looked through
 */
export function buildIndex(leaf: i32, base: i32): bool {
  findBranches(leaf);
  let call = toolCalls.at;
  let note = noted.at;
  let target = targets.at;
  const callsEnd = call + toolCalls.size;
  const notesEnd = note + noted.size;
  const targetsEnd = target + targets.size;
  for (let row = 0; row < rowCount; row++) {
    if (!addRowCost(row)) return false;
    let isCalling = isAtRow(note, notesEnd, row);
    rowTools.size = 0;
    for (; isAtRow(call, callsEnd, row); call += offsetof<Call>()) {
      const one = changetype<Call>(call);
      addTouches(row, one.tool, one.file, one.tool < 0 ? 0 : intAt(toolKinds, one.tool));
    }
    for (; isAtRow(note, notesEnd, row); note += offsetof<CallerNote>()) {
      const one = changetype<CallerNote>(note);
      addTouches(row, one.tool, one.file, one.kind);
    }
    isCalling = isCalling || rowTools.size > 0;
    let entry = row;
    if (isAtRow(target, targetsEnd, row)) {
      entry = load<i32>(target, 4);
      target += 8;
    }
    const hasText = intAt(wordsFrom, row) < intAt(wordsTo, row);
    if (hasText) putPlace(row, base);
    if (!hasText && !isCalling) continue;
    putLine(row, entry, hasText);
  }
  return true;
}

/** Of what stands in the order of the rows: whether the next one is a row's. */
function isAtRow(at: usize, end: usize, row: i32): bool {
  return at < end && load<i32>(at) == row;
}

/** Bytes of a number of 32 bits for each of a table, and for some more. */
function intsFor(ofTable: Table, more: usize): usize {
  return (ofTable.entries.size / offsetof<Entry>() + more) << 2;
}
