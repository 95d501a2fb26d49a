/** Usage of a file's messages by day and usage source. */
import { COST_CELL_LENGTH } from '../../scanner/indexLayout';
import { NONE, USAGE_LENGTH, UsageField } from '../../scanner/scannerLayout';
import { usages } from '../memory/storage';
import { createBytes, resetWithCapacity } from '../memory/memory';
import { intAt } from '../memory/integers';
import { profileOf, timeOf, usageOf } from '../rows/rows';

const DAY: f64 = 86_400_000;
/** Years of days, with a handful of usage sources. Cells are searched one by one. */
const MAX_CELLS: usize = 2000;

/** Tokens and dollars of one usage source on one day, as `CostField` numbers them. */
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
if (offsetof<CostCell>() != COST_CELL_LENGTH << 3) ERROR('CostCell differs from CostField');

/** Input of the caller, by profile: the usage source, or `NONE` if the usage isn't counted. */
export const usageSources = createBytes(0);
export const costCells = createBytes(0);

export function prepareCosts(profileBytes: usize): void {
  resetWithCapacity(usageSources, profileBytes);
  resetWithCapacity(costCells, ((usages.size >> 3) / USAGE_LENGTH) * offsetof<CostCell>());
}

/** Returns false if there are too many days and usage sources. */
export function addRowCost(row: i32): bool {
  const source = usageSourceOf(row);
  if (source == NONE) return true;
  const day = Math.floor(timeOf(row) / DAY);
  // The cell is mostly that of the row before.
  for (let at = costCells.at + costCells.size; at > costCells.at;) {
    at -= offsetof<CostCell>();
    const cell = changetype<CostCell>(at);
    if (cell.day != day || cell.usageSource != source) continue;
    addUsage(cell, row);
    return true;
  }
  if (costCells.size >= MAX_CELLS * offsetof<CostCell>()) return false;
  const cell = changetype<CostCell>(costCells.at + costCells.size);
  costCells.size += offsetof<CostCell>();
  cell.day = day;
  cell.usageSource = source;
  cell.input = cell.output = cell.cacheRead = cell.cacheWrite = cell.cost = 0;
  addUsage(cell, row);
  return true;
}

function usageSourceOf(row: i32): i32 {
  const profile = intAt(profileOf, row);
  return profile == NONE ? NONE : intAt(usageSources, profile);
}

function addUsage(cell: CostCell, row: i32): void {
  const at = usages.at + ((<usize>intAt(usageOf, row)) << 3);
  cell.input += load<f64>(at, UsageField.input << 3);
  cell.output += load<f64>(at, UsageField.output << 3);
  cell.cacheRead += load<f64>(at, UsageField.cacheRead << 3);
  cell.cacheWrite += load<f64>(at, UsageField.cacheWrite << 3);
  cell.cost += load<f64>(at, UsageField.totalCost << 3);
}
