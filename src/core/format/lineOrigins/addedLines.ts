/** Finds the lines of a text that an earlier text doesn't have. */
import { elementAt } from '../values/lookups';
import { aligning } from './alignLines';
import { LineTexts, linesOf } from './lineTexts';
import type { Work } from './work';

/** Consecutive lines, the first and the last one, from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the added and changed lines of the later text, in order. Line breaks don't count, nor does the end after the last one. */
export function* addedLines(before: string, after: string): Work<LineRange[]> {
  const texts = new LineTexts();
  const lines = linesOf(after);
  const old = before === '' ? [] : yield* texts.numbering(before);
  const { places } = yield* aligning(old, yield* texts.numbering(after), texts);
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  return rangesOf(count, (at) => places[at]! < 0);
}

/** Returns the stretches of lines that fulfil a condition. @param has takes the place of a line, from 0 */
function rangesOf(count: number, has: (at: number) => boolean): LineRange[] {
  const found: LineRange[] = [];
  for (let at = 0; at < count; at++) {
    if (!has(at)) continue;
    const from = at + 1;
    while (at + 1 < count && has(at + 1)) at++;
    found.push({ from, to: at + 1 });
  }
  return found;
}

/** Returns the parts of ranges that are in any of the other ranges. Both lists are in order and have no overlaps. */
export function intersection<T extends LineRange>(ranges: readonly T[], others: readonly LineRange[]): T[] {
  const found: T[] = [];
  let at = 0;
  for (const range of ranges) {
    while (at < others.length && elementAt(others, at).to < range.from) at++;
    for (let next = at; next < others.length && elementAt(others, next).from <= range.to; next++) {
      const other = elementAt(others, next);
      found.push({ ...range, from: Math.max(range.from, other.from), to: Math.min(range.to, other.to) });
    }
  }
  return found;
}
