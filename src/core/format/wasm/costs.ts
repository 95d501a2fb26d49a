/** What a file's messages cost, by the day and by who pays, and what the branch of a tip did. */
import { usages } from './storage';
import { createBytes, resetWithCapacity } from './memory';
import { COST, USAGE_NUMBERS } from './message';
import { intAt } from './integers';
import { parents, profileOf, timeOf, usageOf } from './rows';
import { childrenOf } from './branches';

const NONE: i32 = -1;
const DAY: f64 = 86_400_000;
/** Cells: years of days. */
const MAX_CELLS: usize = 2000;

/** What one payer took on one day: tokens, and dollars. */
@unmanaged
class CostCell {
  day: f64;
  usageSource: f64;
  input: f64;
  output: f64;
  cacheRead: f64;
  cacheWrite: f64;
  cost: f64;
}

/** Given by the caller, by profile: who pays; -1 if it doesn't count. */
export const usageSources = createBytes(0);
export const cells = createBytes(0);
const ownCell = changetype<CostCell>(heap.alloc(offsetof<CostCell>()));

export function prepareCosts(profileBytes: usize): void {
  resetWithCapacity(usageSources, profileBytes);
  resetWithCapacity(cells, ((usages.size >> 3) / USAGE_NUMBERS) * offsetof<CostCell>());
}

/** @returns whether it could be told: not if there are too many days and payers */
export function addRowCost(row: i32): bool {
  const payer = usageSourceOf(row);
  if (payer == NONE) return true;
  const day = Math.floor(timeOf(row) / DAY);
  // Mostly it is that of the row before.
  for (let at = cells.at + cells.size; at > cells.at; ) {
    at -= offsetof<CostCell>();
    const cell = changetype<CostCell>(at);
    if (cell.day != day || cell.usageSource != payer) continue;
    addUsage(cell, row);
    return true;
  }
  if (cells.size >= MAX_CELLS * offsetof<CostCell>()) return false;
  const cell = changetype<CostCell>(cells.at + cells.size);
  cells.size += offsetof<CostCell>();
  cell.day = day;
  cell.usageSource = payer;
  cell.input = cell.output = cell.cacheRead = cell.cacheWrite = cell.cost = 0;
  addUsage(cell, row);
  return true;
}

/** What a tip's entries took that no other branch has, as a cell. */
export function ownCost(tip: i32): usize {
  ownCell.input = ownCell.output = ownCell.cacheRead = ownCell.cacheWrite = ownCell.cost = 0;
  let row = tip;
  do {
    if (usageSourceOf(row) != NONE) addUsage(ownCell, row);
    row = intAt(parents, row);
  } while (row != NONE && childrenOf(row) == 1);
  return changetype<usize>(ownCell);
}

function usageSourceOf(row: i32): i32 {
  const profile = intAt(profileOf, row);
  return profile == NONE ? NONE : intAt(usageSources, profile);
}

function addUsage(cell: CostCell, row: i32): void {
  const at = usages.at + (<usize>intAt(usageOf, row) << 3);
  cell.input += load<f64>(at);
  cell.output += load<f64>(at, 8);
  cell.cacheRead += load<f64>(at, 16);
  cell.cacheWrite += load<f64>(at, 24);
  cell.cost += load<f64>(at + (COST << 3));
}
