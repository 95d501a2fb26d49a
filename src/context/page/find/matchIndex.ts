/** Numbers the matches of all articles. Pure. */
import { lastOf, elementAt } from '../../../core/format/values/lookups';

export interface MatchPosition {
  readonly index: number;
  /** The number of the match within its article, from 0. */
  readonly nth: number;
}

export class MatchIndex {
  /** Indices of articles with matches, ascending. */
  private indices: number[] = [];
  /** The number of matches before each of them, and at the end the total. */
  private cumulativeCounts: number[] = [0];

  get total(): number {
    return lastOf(this.cumulativeCounts);
  }

  /** Adds articles after the existing ones. */
  add(counts: readonly (readonly [index: number, count: number])[]): void {
    for (const [index, count] of counts) {
      this.indices.push(index);
      this.cumulativeCounts.push(this.total + count);
    }
  }

  /** Removes the articles from `index` on. */
  truncate(index: number): void {
    const kept = this.firstAt(index);
    this.indices.length = kept;
    this.cumulativeCounts.length = kept + 1;
  }

  /** Returns the position of a match by its number, from 0. */
  at(number: number): MatchPosition | undefined {
    if (number < 0 || number >= this.total) return undefined;
    const article = lowerBound(this.cumulativeCounts.length, (at) => elementAt(this.cumulativeCounts, at) > number) - 1;
    return { index: elementAt(this.indices, article), nth: number - elementAt(this.cumulativeCounts, article) };
  }

  /** Returns the number of the first match in an article or after it; `undefined` if there is none. */
  firstFrom(index: number): number | undefined {
    const first = this.firstAt(index);
    return first < this.indices.length ? this.cumulativeCounts[first] : undefined;
  }

  private firstAt(index: number): number {
    return lowerBound(this.indices.length, (at) => elementAt(this.indices, at) >= index);
  }
}

/**
 * Returns the lowest index below `length` for which `isEnough` holds, or `length`. Requires that it holds for all
 * indices after one for which it does.
 */
function lowerBound(length: number, isEnough: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
