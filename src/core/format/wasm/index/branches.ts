/** The rows on the active branch, and the tips of all branches. Parents come before their children. */
import { NONE } from '../../scanner/scannerLayout';
import { createBytes, resetWithCapacity } from '../memory/memory';
import { appendInt, intAt, resetToZeros } from '../memory/integers';
import { parents, rowCount } from '../rows/rows';

/** By row: 1 if it is on the active branch; the number of its children, counted up to two. */
const active = createBytes(0);
const children = createBytes(0);
/** Rows without children. */
export const tips = createBytes(0);

export function prepareTree(): void {
  resetToZeros(active, rowCount);
  resetToZeros(children, rowCount);
  resetWithCapacity(tips, (<usize>rowCount) << 2);
}

/** `leaf`: the last row of the active branch, or `NONE`. */
export function findBranches(leaf: i32): void {
  for (let row = leaf; row != NONE; row = intAt(parents, row)) store<u8>(active.at + row, 1);
  for (let row = rowCount - 1; row >= 0; row--) {
    const parent = intAt(parents, row);
    if (parent != NONE && childrenOf(parent) < 2) store<u8>(children.at + parent, childrenOf(parent) + 1);
  }
  for (let row = 0; row < rowCount; row++) if (childrenOf(row) == 0) appendInt(tips, row);
}

export function isActive(row: i32): bool {
  return load<u8>(active.at + row) == 1;
}

export function childrenOf(row: i32): u8 {
  return load<u8>(children.at + row);
}
