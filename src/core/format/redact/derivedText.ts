/** A text that is made of another one, and leads back to it. */
import type { Steps } from '../session/steps';

/** A text whose parts are those of a source, or stand for parts of it. */
export interface DerivedText {
  readonly text: string;
  /** Returns the position in the source of the character at a position. */
  readonly startOf: (position: number) => number;
  /** Returns the position in the source after the character that ends at a position. */
  readonly endOf: (position: number) => number;
}

/** Replacements that take about a millisecond. */
export const MATCHES_OF_STEP = 2_000;

/** Between two texts or lines: no rule finds anything across it. */
export const BETWEEN = '\n\0\n';

export class DerivedTextBuilder {
  private readonly parts: string[] = [];
  /** The beginnings of the segments in the text, and in the source. */
  private readonly here: number[] = [];
  private readonly there: number[] = [];
  /** For a segment that stands for others, the end of those; -1 for a copied one. */
  private readonly ends: number[] = [];
  private length = 0;

  constructor(private readonly source: string) {}

  /** Copies a part of the source. */
  copy(from: number, to: number): void {
    this.put(this.source.slice(from, to), from, -1);
  }

  /** Puts a text that stands for a part of the source. */
  replace(from: number, to: number, text: string): void {
    this.put(text, from, to);
  }

  private put(part: string, from: number, to: number): void {
    if (part === '') return;
    this.here.push(this.length);
    this.there.push(from);
    this.ends.push(to);
    this.parts.push(part);
    this.length += part.length;
  }

  finish(): DerivedText {
    const { here, there, ends } = this;
    const segmentAt = (position: number): number => {
      let low = 0;
      for (let high = here.length; high - low > 1;) {
        const middle = (low + high) >> 1;
        if (here[middle]! <= position) low = middle;
        else high = middle;
      }
      return low;
    };
    const placeIn = (segment: number, position: number): number => (there[segment] ?? 0) + position - (here[segment] ?? 0);
    return {
      text: this.parts.join(''),
      startOf: (position) => {
        const segment = segmentAt(position);
        return ends[segment] === -1 ? placeIn(segment, position) : (there[segment] ?? 0);
      },
      endOf: (position) => {
        const segment = segmentAt(position - 1);
        const end = ends[segment] ?? -1;
        return end === -1 ? placeIn(segment, position) : end;
      },
    };
  }
}

/**
 * Returns the lines of a text in which an expression matches, with other texts in the places of the matches; `undefined` if there are
 * none. A match with a line break joins its lines.
 */
export function* changedLines(text: string, expression: RegExp, textOf: (match: string) => string): Steps<DerivedText | undefined> {
  let builder: DerivedTextBuilder | undefined;
  let lineEnd = -1;
  let from = 0;
  let count = 0;
  for (const { index, 0: match } of text.matchAll(expression)) {
    if (++count % MATCHES_OF_STEP === 0) yield;
    if (index >= lineEnd) {
      if (builder) {
        builder.copy(from, lineEnd);
        builder.replace(lineEnd, lineEnd, BETWEEN);
      } else builder = new DerivedTextBuilder(text);
      from = text.lastIndexOf('\n', index) + 1;
    }
    builder?.copy(from, index);
    from = index + match.length;
    builder?.replace(index, from, textOf(match));
    if (from <= lineEnd) continue;
    const end = text.indexOf('\n', from);
    lineEnd = end < 0 ? text.length : end;
  }
  builder?.copy(from, lineEnd);
  return builder?.finish();
}
