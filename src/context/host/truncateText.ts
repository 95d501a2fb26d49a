/** Session text as it is sent to the page: fit to be shown, in a line, or with its middle left out. */
import { sanitizeText } from '../../core/index';

export { sanitizeText };

/** The text in one line of at most `length` characters. */
export function oneLine(text: string, length: number): string {
  // Of a huge text only the beginning is looked at; a line is never made of all of it.
  const line = sanitizeText(text.slice(0, length * 4)).replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** Lengths in UTF-16 units: what is longer than both ends together is sent without its middle. */
export interface TruncationLimits {
  readonly start: number;
  readonly end: number;
}

/** Cuts at a line's end if there is one near. */
export function truncate(text: string, { start, end }: TruncationLimits): { readonly text: string; readonly tail?: string; readonly omitted?: number } {
  if (text.length <= start + end) return { text };
  const from = boundary(text, start);
  const near = end === 0 ? -1 : text.indexOf('\n', text.length - end);
  const to = end === 0 ? text.length : near < 0 || near > text.length - end / 2 ? text.length - end : near + 1;
  return { text: text.slice(0, from), ...(end === 0 ? {} : { tail: text.slice(to) }), omitted: to - from };
}

/** The piece of a text from `from` on, at most `length` long, that ends with a line if it can. */
export function sliceAtLine(text: string, from: number, to: number, length: number): string {
  return to - from <= length ? text.slice(from, to) : text.slice(from, boundary(text, from + length));
}

function boundary(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  if (line > at / 2 && at - line < 10_000) return line;
  // Never between the two halves of a character.
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at;
}
