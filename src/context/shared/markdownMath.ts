/** Keeps formulas in Markdown as plain text: no emphasis within them, no backslash removed. */
import type { StateInline } from 'markdown-it';

/** Delimiter pairs; longer ones first. */
const DELIMITERS = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
] as const;
/** UTF-16 units. Longer text is no formula. */
const MAX_FORMULA_LENGTH = 4000;

/** Returns the next position of a delimiter, from a position on; `Infinity` if there is none. */
type FindNext = (sign: string, from: number) => number;

/** Returns an inline rule for markdown-it. Install it before the rule for backslash escapes. */
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

/** Remembers the last result for each delimiter, so that many openings without an end don't each search the whole text. */
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

/** Returns the end of the formula that begins at `start`; `undefined` if none does. */
function endOfMath(text: string, start: number, limit: number, next: FindNext): number | undefined {
  const fence = DELIMITERS.find(([open]) => text.startsWith(open, start));
  if (!fence) return undefined;
  const [open, close] = fence;
  const from = start + open.length;
  const at = next(close, from);
  const end = at + close.length;
  if (at === from || end > Math.min(limit, from + MAX_FORMULA_LENGTH) || next('`', from) < at) return undefined;
  // Prices such as `$5` aren't formulas: a single `$` needs no space inside, and no digit after it.
  const isPrice =
    open === '$' && (/\s/.test(text.charAt(from)) || /\s/.test(text.charAt(at - 1)) || (end < limit && /\d/.test(text.charAt(end))));
  return isPrice ? undefined : end;
}
