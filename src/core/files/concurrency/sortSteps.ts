/** Sorts long lists in short steps. Sorting 50,000 files in one go blocks the event loop for about ten milliseconds. */
import type { Steps } from '../../format/session/steps';
import { elementAt } from '../../format/values/lookups';

/** Number of elements that take about a millisecond to sort or to merge. */
const STEP_LENGTH = 2048;

/** Returns what `toSorted` would, whose order of equal elements is kept, too. */
export function* sortSteps<T extends object>(list: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let sorted: T[] = [];
  for (let at = 0; at < list.length; at += STEP_LENGTH) {
    for (const element of list.slice(at, at + STEP_LENGTH).sort(compare)) sorted.push(element);
    yield;
  }
  for (let length = STEP_LENGTH; length < sorted.length; length *= 2) {
    const merged: T[] = [];
    for (let at = 0; at < sorted.length; at += 2 * length) {
      const end = Math.min(at + 2 * length, sorted.length);
      let [left, right] = [at, Math.min(at + length, end)];
      const middle = right;
      while (left < middle || right < end) {
        const isLeft = right === end || (left < middle && compare(elementAt(sorted, left), elementAt(sorted, right)) <= 0);
        merged.push(elementAt(sorted, isLeft ? left++ : right++));
        if (merged.length % STEP_LENGTH === 0) yield;
      }
    }
    sorted = merged;
  }
  return sorted;
}
