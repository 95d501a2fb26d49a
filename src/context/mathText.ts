/** Maths in markdown stays the text that it is: no mark in it is read as emphasis, no backslash is lost. */
import type { StateInline } from 'markdown-it';

/** Ways to begin and end it, the longer first. */
const FENCES = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
] as const;
/** UTF-16 units; what is longer is no formula. */
const LONGEST = 4000;

/** A rule for what stands in a line, to come before the one for backslashes. */
export function mathAsText(state: StateInline, silent: boolean): boolean {
  const end = endOfMath(state.src, state.pos, state.posMax);
  if (end === undefined) return false;
  if (!silent) state.push('text', '', 0).content = state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}

/** Where a formula ends that begins at `start`; `undefined` if none begins there. */
function endOfMath(text: string, start: number, limit: number): number | undefined {
  const fence = FENCES.find(([open]) => text.startsWith(open, start));
  if (!fence) return undefined;
  const [open, close] = fence;
  const from = start + open.length;
  const within = text.slice(from, Math.min(limit, from + LONGEST));
  const at = within.indexOf(close);
  if (at <= 0 || within.lastIndexOf('`', at) >= 0) return undefined;
  // Prices are none: a lone sign stands at its formula without a space, and no digit follows.
  const isPrice = open === '$' && (/^\s/.test(within) || /\s$/.test(within.slice(0, at)) || /^\d/.test(within.slice(at + 1)));
  return isPrice ? undefined : from + at + close.length;
}
