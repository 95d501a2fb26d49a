/** Shortens long texts for the messages to the page. */
import { boundaryAfter, boundaryBefore } from '../../core/format/text/characters';

/** Lengths in UTF-16 units. A text longer than both together is sent without its middle. */
export interface TruncationLimits {
  readonly start: number;
  readonly end: number;
}

/** Leaves out the middle of a long text. Cuts at the end of a line if one is near. */
export function truncate(
  text: string,
  { start, end }: TruncationLimits,
): { readonly text: string; readonly tail?: string; readonly omitted?: number } {
  if (text.length <= start + end) return { text };
  const from = boundary(text, start);
  const near = end === 0 ? -1 : text.indexOf('\n', text.length - end);
  const to = end === 0 ? text.length : near < 0 || near > text.length - end / 2 ? boundaryAfter(text, text.length - end) : near + 1;
  return { text: text.slice(0, from), ...(end === 0 ? {} : { tail: text.slice(to) }), omitted: to - from };
}

/** Returns at most `length` UTF-16 units of `text` between `from` and `to`, ending at a line's end if possible. */
export function sliceAtLine(text: string, from: number, to: number, length: number): string {
  return to - from <= length ? text.slice(from, to) : text.slice(from, boundary(text, from + length));
}

function boundary(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  if (line > at / 2 && at - line < 10_000) return line;
  return boundaryBefore(text, at);
}
