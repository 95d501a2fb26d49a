/** The places of lines in a text, so that an edit of many places doesn't read all of the text for each of them. */
import type { Work } from '../work';
import { findLines } from './findLines';

/** Places of a line that are looked at one by one. */
const FEW = 16;

export class LineIndex {
  private constructor(
    private readonly lines: readonly number[],
    /** For each line, where its places begin. */
    private readonly starts: Int32Array,
    /** The places of all lines, in order for each of them. */
    private readonly places: Int32Array,
  ) {}

  static *of(lines: readonly number[]): Work<LineIndex> {
    yield lines.length;
    let largest = -1;
    for (let at = 0; at < lines.length; at++) if (lines[at]! > largest) largest = lines[at]!;
    yield largest + 3 * lines.length;
    const starts = new Int32Array(largest + 2);
    for (let at = 0; at < lines.length; at++) if (lines[at]! >= 0) starts[lines[at]! + 1]!++;
    for (let line = 0; line <= largest; line++) starts[line + 1]! += starts[line]!;
    const next = starts.slice();
    const places = new Int32Array(lines.length);
    for (let at = 0; at < lines.length; at++) if (lines[at]! >= 0) places[next[lines[at]!]!++] = at;
    return new LineIndex(lines, starts, places);
  }

  /** The number of places of a line in a part of the text. */
  count(line: number, from: number, to = this.lines.length): number {
    return this.firstFrom(line, to) - this.firstFrom(line, from);
  }

  /** Returns the first places of consecutive lines from a place on, two at most. */
  *find(wanted: readonly number[], from: number): Work<number[]> {
    yield wanted.length;
    let rarest = 0;
    for (let at = 1; at < wanted.length; at++) if (this.count(wanted[at]!, 0) < this.count(wanted[rarest]!, 0)) rarest = at;
    const first = this.firstFrom(wanted[rarest]!, from + rarest);
    const end = this.firstFrom(wanted[rarest]!, this.lines.length);
    if (end - first > FEW) return yield* firstTwo(this.lines, wanted, from);
    const found: number[] = [];
    for (let each = first; each < end && found.length < 2; each++) {
      const place = this.places[each]! - rarest;
      let same = 0;
      while (same < wanted.length && this.lines[place + same] === wanted[same]) same++;
      yield same;
      if (same === wanted.length) found.push(place);
    }
    return found;
  }

  /** The place in the list of places of the line's first one from a place on. */
  private firstFrom(line: number, from: number): number {
    let [low, high] = [this.starts[line] ?? 0, this.starts[line + 1] ?? 0];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.places[middle]! < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Like `LineIndex.find`, without an index. */
export function* firstTwo(lines: readonly number[], wanted: readonly number[], from: number): Work<number[]> {
  yield Math.max(0, lines.length - from) + wanted.length;
  const [one, another] = findLines(lines, wanted, from);
  return one === undefined ? [] : another === undefined ? [one] : [one, another];
}
