/** What a file's messages cost, by the day and by who pays, and what the branch of a tip did. */
import { usages } from './kept';
import { createBytes, expect } from './memory';
import { COST, USAGE_NUMBERS } from './message';
import { intAt } from './numbers';
import { parents, profileOf, timeOf, usageOf } from './rows';
import { childrenOf } from './tree';

const NONE: i32 = -1;
const DAY: f64 = 86_400_000;
/** Cells: years of days. */
const MOST: usize = 2000;

/** What one payer took on one day: tokens, and dollars. */
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

/** Given by the caller, by profile: who pays; -1 if it doesn't count. */
export const payers = createBytes(0);
export const cells = createBytes(0);
const own = changetype<Cell>(heap.alloc(offsetof<Cell>()));

export function prepareCosts(profileBytes: usize): void {
  expect(payers, profileBytes);
  expect(cells, ((usages.size >> 3) / USAGE_NUMBERS) * offsetof<Cell>());
}

/** @returns whether it could be told: not if there are too many days and payers */
export function pay(row: i32): bool {
  const payer = payerOf(row);
  if (payer == NONE) return true;
  const day = Math.floor(timeOf(row) / DAY);
  // Mostly it is that of the row before.
  for (let at = cells.at + cells.size; at > cells.at; ) {
    at -= offsetof<Cell>();
    const cell = changetype<Cell>(at);
    if (cell.day != day || cell.payer != payer) continue;
    addUsage(cell, row);
    return true;
  }
  if (cells.size >= MOST * offsetof<Cell>()) return false;
  const cell = changetype<Cell>(cells.at + cells.size);
  cells.size += offsetof<Cell>();
  cell.day = day;
  cell.payer = payer;
  cell.input = cell.output = cell.cacheRead = cell.cacheWrite = cell.cost = 0;
  addUsage(cell, row);
  return true;
}

/** What a tip's entries took that no other branch has, as a cell. */
export function takenBy(tip: i32): usize {
  own.input = own.output = own.cacheRead = own.cacheWrite = own.cost = 0;
  let row = tip;
  do {
    if (payerOf(row) != NONE) addUsage(own, row);
    row = intAt(parents, row);
  } while (row != NONE && childrenOf(row) == 1);
  return changetype<usize>(own);
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
