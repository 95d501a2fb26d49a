/** Follows a line back through the states of a file. Pure. */
import { alignLines, UNKNOWN } from './alignLines';
import type { LineTexts } from './lineTexts';

/** The share of a line's characters, at its beginning and end, that stay if it's changed rather than replaced by another line. */
const SIMILAR = 0.4;
/** Lines among which the earlier version of a line is looked for. */
const MAX_CANDIDATES = 200;

interface TracedLine {
  /** The line's place in the old text, from 0; `undefined` if it wasn't there. */
  readonly place: number | undefined;
  /** True if the line's text differs. */
  readonly isChanged: boolean;
}

/** @param at the line's place in the new text, from 0 */
export function traceLine(before: readonly number[], after: readonly number[], at: number, texts: LineTexts): TracedLine {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start] && before[start] !== UNKNOWN) start++;
  if (at < start) return { place: at, isChanged: false };
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end) && before.at(-1 - end) !== UNKNOWN) end++;
  if (at >= after.length - end) return { place: at + before.length - after.length, isChanged: false };
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const { places } = alignLines(old, now, texts);
  const pair = places[at - start] ?? -1;
  if (pair >= 0) return { place: start + pair, isChanged: false };
  const similar = similarPlace(old, now, places, at - start, texts);
  return { place: similar === undefined ? undefined : start + similar, isChanged: true };
}

/** The old line between the same neighbors that is most like the new one. */
function similarPlace(
  old: readonly number[],
  now: readonly number[],
  places: Int32Array,
  at: number,
  texts: LineTexts,
): number | undefined {
  let [before, after] = [at - 1, at + 1];
  while (before >= 0 && places[before]! < 0) before--;
  while (after < places.length && places[after]! < 0) after++;
  const from = before < 0 ? 0 : places[before]! + 1;
  const to = Math.min(after < places.length ? places[after]! : old.length, from + MAX_CANDIDATES);
  const text = texts.text(now[at]!).trim();
  let best: { readonly place: number; readonly score: number } | undefined;
  for (let place = from; place < to; place++) {
    if (old[place] === UNKNOWN) continue;
    const score = similarity(texts.text(old[place]!).trim(), text);
    // Prefers the same distance from the neighbor among equally similar lines.
    const isInPlace = place - from === at - before - 1;
    if (score >= SIMILAR && (!best || score > best.score || (score === best.score && isInPlace))) best = { place, score };
  }
  return best?.place;
}

/** The share of the longer text that both begin and end with. */
function similarity(a: string, b: string): number {
  const [least, most] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  if (most === 0) return 0;
  let start = 0;
  while (start < least && a[start] === b[start]) start++;
  let end = 0;
  while (end < least - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return (start + end) / most;
}
