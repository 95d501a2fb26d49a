/** Maths in markdown stays the text that it is: no mark in it is read as emphasis, no backslash is lost. */
import type { StateInline } from 'markdown-it';

/** Ways to begin and end it, the longer first. */
const DELIMITERS = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
] as const;
/** UTF-16 units; what is longer is no formula. */
const MAX_FORMULA_LENGTH = 4000;

/** Finds a sign from a place on. */
type FindNext = (sign: string, from: number) => number;

/** @returns a rule for what stands in a line, to come before the one for backslashes. */
export function mathTextRule(): (state: StateInline, silent: boolean) => boolean {
  const searches = new WeakMap<StateInline, FindNext>();
  return (state, silent) => {
    const next = searches.get(state) ?? searchIn(state.src);
    searches.set(state, next);
    const end = endOfMath(state.src, state.pos, state.posMax, next);
    if (end === undefined) return false;
    if (!silent) state.push('text', '', 0).content = state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  };
}

/** Remembers where each sign was found last, so that many beginnings without an end don't each search all of the text. */
function searchIn(text: string): FindNext {
  const found = new Map<string, { readonly from: number; readonly at: number }>();
  return (sign, from) => {
    const last = found.get(sign);
    if (last && last.from <= from && from <= last.at) return last.at;
    const at = text.indexOf(sign, from);
    found.set(sign, { from, at: at < 0 ? Infinity : at });
    return at < 0 ? Infinity : at;
  };
}

/** Where a formula ends that begins at `start`; `undefined` if none begins there. */
function endOfMath(text: string, start: number, limit: number, next: FindNext): number | undefined {
  const fence = DELIMITERS.find(([open]) => text.startsWith(open, start));
  if (!fence) return undefined;
  const [open, close] = fence;
  const from = start + open.length;
  const at = next(close, from);
  const end = at + close.length;
  if (at === from || end > Math.min(limit, from + MAX_FORMULA_LENGTH) || next('`', from) < at) return undefined;
  // Prices are none: a lone sign stands at its formula without a space, and no digit follows.
  const isPrice = open === '$' && (/\s/.test(text.charAt(from)) || /\s/.test(text.charAt(at - 1)) || (end < limit && /\d/.test(text.charAt(end))));
  return isPrice ? undefined : end;
}
