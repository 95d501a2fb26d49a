/** Breaks circles of parents, which only damaged files have. */
import { elementAt } from '../entry/lookups';
import type { EntryHead } from '../entry/entryHead';
import { NO_PARENT } from '../columns/headSource';
import { problem, type Problem } from '../entry/problem';

/**
 * Makes the first entry of each circle, in file order, a root. Changes `heads` and `parents`.
 *
 * @param parents the parent's place of each head, or `NO_PARENT`
 * @param first the place of the first head; the heads before it have no circles
 */
export function breakCycles(heads: EntryHead[], parents: Int32Array, first: number): Problem[] {
  const problems: Problem[] = [];
  // By head: the number of the first walk that reached it; 0 if none did.
  const walks = new Int32Array(heads.length);
  // Negative for a head without a parent, and for one whose parent precedes `first`.
  const parentOf = (index: number): number => parents[index]! - first;
  for (let start = 0; start < heads.length; start++) {
    const walk = start + 1;
    let index = start;
    while (index >= 0 && walks[index] === 0) {
      walks[index] = walk;
      index = parentOf(index);
    }
    if (index < 0 || walks[index] !== walk) continue;
    let cut = index;
    for (let next = parentOf(index); next !== index; next = parentOf(next)) cut = Math.min(cut, next);
    const head = elementAt(heads, cut);
    heads[cut] = { ...head, parentId: null };
    parents[cut] = NO_PARENT;
    problems.push(problem('cycle', { line: head.line }, head.id));
  }
  return problems;
}
