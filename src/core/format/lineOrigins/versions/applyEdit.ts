/** Applies a recorded edit to a text, if that is the text the edit found. Nothing is looked for nearby, and nothing is guessed. */
import type { Steps } from '../../session/steps';
import { lastOf } from '../../values/lookups';
import { LineTexts } from '../lineTexts';
import type { FileEdit, Hunk, Replacement } from '../record/fileEdit';
import { findLines } from '../replay/findLines';
import { plainOf } from './wholeText';

/** `missing`: the edit found another text. `unclear`: the record doesn't show the result of the edit. */
type Applied = { readonly kind: 'applied'; readonly text: string; readonly isEndOpen: boolean } | { readonly kind: 'missing' | 'unclear' };

/** The length of a text times the number of texts that are searched for in it. */
const MAX_SEARCH = 1e9;
/** The length of a text times the length of the text searched for in it; above this, `indexOf` may take longer than a step. */
const MAX_QUICK_SEARCH = 1e7;
/** UTF-16 units of a text that are searched in some milliseconds. */
const UNITS_OF_STEP = 512 * 1024;
/** Places that an edit may replace. */
const MAX_PLACES = 100_000;
/** Places whose replacement takes about a millisecond. */
const PLACES_OF_STEP = 5_000;

/** @param plain the text before, with line feeds only */
export function* applyEdit(plain: string, { replacements, hunks, movedTo }: FileEdit): Steps<Applied> {
  if (replacements.length === 0 && hunks.length === 0) return movedTo === undefined ? UNCLEAR : applied(plain);
  const replaced = replacements.length > 0 ? yield* applyReplacements(plain, replacements) : undefined;
  const changed = hunks.length > 0 ? applyHunks(plain, hunks) : undefined;
  if (!replaced) return changed ?? UNCLEAR;
  if (!changed) return replaced;
  // A tool that looks for a similar text may change more than it says.
  if (changed.kind === 'missing' || replaced.kind === 'missing') return MISSING;
  if (replaced.kind !== 'applied') return changed;
  if (changed.kind !== 'applied') return replaced;
  return withoutEnd(changed.text) === withoutEnd(replaced.text) ? replaced : MISSING;
}

const MISSING: Applied = { kind: 'missing' };
const UNCLEAR: Applied = { kind: 'unclear' };
const applied = (text: string, isEndOpen = false): Applied => ({ kind: 'applied', text, isEndOpen });
const withoutEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text);

/** Some tools look for all texts in the same text, others for each in the result of the previous replacement. */
function* applyReplacements(plain: string, replacements: readonly Replacement[]): Steps<Applied> {
  const atOnce = yield* replaceAtOnce(plain, replacements, { left: MAX_PLACES });
  if (replacements.length === 1) return atOnce;
  const places = { left: MAX_PLACES };
  let inTurn = applied(plain);
  for (const replacement of replacements) if (inTurn.kind === 'applied') inTurn = yield* replaceAtOnce(inTurn.text, [replacement], places);
  if (atOnce.kind === 'missing') return inTurn;
  if (inTurn.kind === 'missing') return atOnce;
  const areSame = atOnce.kind === 'applied' && inTurn.kind === 'applied' && atOnce.text === inTurn.text;
  return areSame ? atOnce : UNCLEAR;
}

/** @param most how many places may still be replaced */
function* replaceAtOnce(plain: string, replacements: readonly Replacement[], most: { left: number }): Steps<Applied> {
  const places: { readonly at: number; readonly end: number; readonly after: string }[] = [];
  if (plain.length * replacements.length > MAX_SEARCH) return UNCLEAR;
  for (const { before: old, after: now, all } of replacements) {
    const [before, after] = [plainOf(old), plainOf(now)];
    if (before === '') return UNCLEAR;
    yield;
    let end = 0;
    for (const at of placesInText(plain, before)) {
      if (at === undefined) {
        yield;
        continue;
      }
      // Tools refuse a text that occurs twice, so the edit must have found a different text.
      if (end > 0 && !all) return MISSING;
      // All that are replaced don't overlap.
      if (at < end) continue;
      if (--most.left < 0) return UNCLEAR;
      if (most.left % PLACES_OF_STEP === 0) yield;
      places.push({ at, end: (end = at + before.length), after });
    }
    if (end === 0) return MISSING;
  }
  places.sort((a, b) => a.at - b.at);
  const parts: string[] = [];
  let from = 0;
  for (const [index, { at, end, after }] of places.entries()) {
    if (index % PLACES_OF_STEP === 0) yield;
    if (at < from) return UNCLEAR;
    parts.push(plain.slice(from, at), after);
    from = end;
  }
  return applied(parts.join('') + plain.slice(from));
}

/** Yields the places of a text in another one, and `undefined` where a step of a long search ends. */
function* placesInText(text: string, wanted: string): Generator<number | undefined> {
  if (text.length * wanted.length <= MAX_QUICK_SEARCH) {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) yield at;
    return;
  }
  const [units, sought] = [unitsOf(text), unitsOf(wanted)];
  for (let from = 0; from < units.length; from += UNITS_OF_STEP) {
    for (const at of findLines(units.subarray(from, from + UNITS_OF_STEP + sought.length - 1), sought)) yield from + at;
    yield undefined;
  }
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

function applyHunks(plain: string, hunks: readonly Hunk[]): Applied {
  const startOf = lineStarts(plain);
  let lines: readonly string[] | undefined;
  const result: string[] = [];
  let [from, added, endsInChange] = [0, 0, false];
  for (const { start, lines: shown } of hunks) {
    const old = shown.flatMap(({ sign, text }) => (sign === '+' ? [] : [text]));
    const now = shown.flatMap(({ sign, text }) => (sign === '-' ? [] : [text]));
    const found =
      start === undefined ? placesOf((lines ??= plain.split('\n')), old, from) : recordedPlaces(plain, startOf, old, from, start, added);
    const [at, another] = found ?? [];
    if (!found || another !== undefined) return UNCLEAR;
    if (at === undefined) return MISSING;
    if (at > from) result.push(linesBetween(plain, startOf, from, at) ?? '');
    if (now.length > 0) result.push(now.join('\n'));
    from = at + old.length;
    added += now.length - old.length;
    endsInChange = shown.at(-1)?.sign !== ' ';
  }
  // A difference by lines doesn't show whether a changed last line ends in a line break.
  const isEndOpen = endsInChange && startOf(from + 2) === undefined;
  const end = startOf(from) ?? plain.length + 1;
  if (end <= plain.length) result.push(plain.slice(end));
  return applied(result.join('\n'), isEndOpen);
}

/** Returns the place at which a line begins, in UTF-16 units; for the line after the last one, one more than the text has. */
type LineStarts = (line: number) => number | undefined;

/** Finds where lines begin as they're asked for, which takes less time than splitting the text. */
function lineStarts(text: string): LineStarts {
  const starts = [0];
  return (line) => {
    while (starts.length <= line) {
      const last = lastOf(starts);
      if (last > text.length) return undefined;
      const end = text.indexOf('\n', last);
      starts.push(end < 0 ? text.length + 1 : end + 1);
    }
    return starts[line];
  };
}

/** Returns the lines between two places, the second one later than the first; `undefined` if the text has fewer lines. */
function linesBetween(text: string, startOf: LineStarts, from: number, to: number): string | undefined {
  const [start, end] = [startOf(from), startOf(to)];
  return start === undefined || end === undefined ? undefined : text.slice(start, end - 1);
}

/** Line numbers may refer to the text before the edit, or to the text after the earlier hunks. */
function recordedPlaces(plain: string, startOf: LineStarts, old: readonly string[], from: number, start: number, added: number): number[] {
  const wanted = old.join('\n');
  const isThere = (at: number): boolean =>
    old.length === 0 ? startOf(at) !== undefined : linesBetween(plain, startOf, at, at + old.length) === wanted;
  return [...new Set([start, start - added])].filter((at) => at >= from && isThere(at));
}

/** Returns two places at most; `undefined` if nothing says where the lines were. */
function placesOf(lines: readonly string[], old: readonly string[], from: number): number[] | undefined {
  if (old.length === 0) return undefined;
  const texts = new LineTexts();
  const [first, another] = findLines(texts.numbersOf(lines), texts.numbersOf(old), from);
  return [first, another].filter((at) => at !== undefined);
}
