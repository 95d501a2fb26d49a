/** Breaks circles of parents, which only damaged files have. */
import { NO_PARENT } from '../columns/headSource';

/**
 * Makes the first entry of each circle, in file order, a root. Changes `parents`.
 *
 * @param parents the parent's place of each head, or `NO_PARENT`
 * @param first the place of the first head; the heads before it have no circles
 * @returns the indexes of these entries in `parents`
 */
export function breakCycles(parents: Int32Array, first: number): number[] {
  const cuts: number[] = [];
  // By head: the number of the first walk that reached it; 0 if none did.
  const walks = new Int32Array(parents.length);
  // Negative for a head without a parent, and for one whose parent precedes `first`.
  const parentOf = (index: number): number => parents[index]! - first;
  for (let start = 0; start < parents.length; start++) {
    const walk = start + 1;
    let index = start;
    while (index >= 0 && walks[index] === 0) {
      walks[index] = walk;
      index = parentOf(index);
    }
    if (index < 0 || walks[index] !== walk) continue;
    let cut = index;
    for (let next = parentOf(index); next !== index; next = parentOf(next)) cut = Math.min(cut, next);
    parents[cut] = NO_PARENT;
    cuts.push(cut);
  }
  return cuts;
}
