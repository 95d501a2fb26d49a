/** The rows on the active branch. */
import { NONE } from '../../scanner/scannerLayout';
import { createBytes } from '../memory/memory';
import { intAt, resetToZeros } from '../memory/integers';
import { parents, rowCount } from '../rows/rows';

/** By row: 1 if it is on the active branch. */
const active = createBytes(0);

export function prepareActiveBranch(): void {
  resetToZeros(active, rowCount);
}

/** `leaf`: the last row of the active branch, or `NONE`. */
export function findActiveBranch(leaf: i32): void {
  for (let row = leaf; row != NONE; row = intAt(parents, row)) store<u8>(active.at + row, 1);
}

export function isActive(row: i32): bool {
  return load<u8>(active.at + row) == 1;
}
