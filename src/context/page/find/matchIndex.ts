/** How many matches each article has, and which match of all is which of its article. Pure. */

export interface MatchPosition {
  readonly index: number;
  /** Which match in its article, from 0. */
  readonly nth: number;
}

export class MatchIndex {
  /** Of articles with matches, in order. */
  private indices: number[] = [];
  /** How many matches there are before each of them, and at the end how many there are. */
  private cumulativeCounts: number[] = [0];

  get total(): number {
    return this.cumulativeCounts.at(-1)!;
  }

  /** Adds articles that come after all that are there. */
  add(counts: readonly (readonly [index: number, count: number])[]): void {
    for (const [index, count] of counts) {
      this.indices.push(index);
      this.cumulativeCounts.push(this.total + count);
    }
  }

  /** Forgets what is at `index` or after it. */
  truncate(index: number): void {
    const kept = this.firstAt(index);
    this.indices.length = kept;
    this.cumulativeCounts.length = kept + 1;
  }

  /** The match with this number, from 0. */
  at(number: number): MatchPosition | undefined {
    if (number < 0 || number >= this.total) return undefined;
    const article = lowerBound(this.cumulativeCounts.length, (at) => this.cumulativeCounts[at]! > number) - 1;
    return { index: this.indices[article]!, nth: number - this.cumulativeCounts[article]! };
  }

  /** The number of the first match in an article or after it; `undefined` if there is none. */
  firstFrom(index: number): number | undefined {
    const first = this.firstAt(index);
    return first < this.indices.length ? this.cumulativeCounts[first] : undefined;
  }

  private firstAt(index: number): number {
    return lowerBound(this.indices.length, (at) => this.indices[at]! >= index);
  }
}

/** The lowest of 0 … `length` that is enough, where all after it are too. */
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
