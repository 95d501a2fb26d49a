/** Finds the places of a difference's hunks in a document, and the lines that take their place there. */
import { elementAt } from '../../values/lookups';
import { aligning, UNKNOWN } from '../alignLines';
import type { Hunk } from '../record/fileEdit';
import { ALIGNED, CHUNK, type Work } from '../work';
import { chanceMatches } from './chanceMatches';
import { firstTwo, LineIndex } from './lineIndex';
import { MAX_LINES, type LineDocument, type Splice } from './lineDocument';
import { guess, NO_EDIT } from './origin';
import type { LineTexts } from '../lineTexts';

/** Lines around a hunk's recorded place in which changed lines are looked for. */
const NEAR = 300;
/** Hunks that are looked for without an index of the lines. */
const FEW_HUNKS = 4;

interface Placed {
  readonly hunk: NumberedHunk;
  readonly at: number;
  /** The end of the hunk before it. */
  readonly from: number;
}

interface NumberedHunk {
  readonly start: number | undefined;
  /** The old lines. */
  readonly old: readonly number[];
  readonly lines: readonly (readonly [sign: ' ' | '-' | '+', line: number])[];
}

/**
 * Returns the changes of all hunks, or `undefined` if the document doesn't have one of them as recorded.
 *
 * @param inverse takes the new text for the old one
 */
export function* placeHunks(
  document: LineDocument,
  hunks: readonly Hunk[],
  texts: LineTexts,
  origin: number,
  inverse = false,
): Work<Splice[] | undefined> {
  const placed: Placed[] = [];
  const lines = yield* searchedLines(document, hunks);
  let [from, shift] = [0, 0];
  for (const one of hunks) {
    const hunk = yield* numbered(one, texts, inverse);
    const at = yield* placeOf(lines, hunk, from, shift, texts);
    if (at === undefined) return undefined;
    if (hunk.start !== undefined) shift = at - hunk.start;
    placed.push({ hunk, at, from });
    from = at + hunk.old.length;
  }
  const splices: Splice[] = [];
  for (const one of placed) splices.push(yield* spliceOf(document, one, origin, texts));
  return splices;
}

/** A document in which hunks are looked for. */
interface SearchedLines extends LineDocument {
  /** Absent for few hunks. */
  readonly index: LineIndex | undefined;
}

function* searchedLines(document: LineDocument, hunks: readonly Hunk[]): Work<SearchedLines> {
  return { ...document, index: hunks.length > FEW_HUNKS ? yield* LineIndex.of(document.lines) : undefined };
}

function* numbered({ start, lines }: Hunk, texts: LineTexts, inverse: boolean): Work<NumberedHunk> {
  const [removed, added] = inverse ? (['+', '-'] as const) : (['-', '+'] as const);
  const found: (readonly [sign: ' ' | '-' | '+', line: number])[] = [];
  const old: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (at % CHUNK === 0) yield Math.min(CHUNK, lines.length - at) * ALIGNED;
    const { sign: recorded, text } = elementAt(lines, at);
    const sign = recorded === removed ? '-' : recorded === added ? '+' : ' ';
    const line = texts.numberOf(text);
    found.push([sign, line]);
    if (sign !== '+') old.push(line);
  }
  // An inverse difference has its places in a text that isn't recorded.
  return { start: inverse ? undefined : start, lines: found, old };
}

/** The recorded place if the lines are at it, else the only other place with these lines. */
function* placeOf(
  document: SearchedLines,
  { start, old }: NumberedHunk,
  from: number,
  shift: number,
  texts: LineTexts,
): Work<number | undefined> {
  yield old.length;
  if (start !== undefined) {
    for (const at of shift === 0 ? [start] : [start + shift, start])
      if (at >= from && at + old.length <= MAX_LINES && fits(document, old, at)) return at;
  }
  if (!old.some((line) => texts.isDistinctive(line))) return undefined;
  // Finds two places at most.
  const [found, another] = yield* document.index?.find(old, from) ?? firstTwo(document.lines, old, from);
  return another === undefined ? found : undefined;
}

/** Unknown lines fit, too. */
function fits({ lines, isWhole }: LineDocument, old: readonly number[], at: number): boolean {
  if (isWhole && at + old.length > lines.length) return false;
  return old.every((line, index) => {
    const known = lines[at + index] ?? UNKNOWN;
    return known === UNKNOWN || known === line;
  });
}

function* spliceOf({ lines, origins }: LineDocument, { hunk, at, from: end }: Placed, origin: number, texts: LineTexts): Work<Splice> {
  const added: number[] = [];
  const from: number[] = [];
  // Lines beyond the known ones are unknown.
  const start = Math.min(at, lines.length);
  const unknown = Math.min(at, Math.max(lines.length, end));
  yield at - unknown + hunk.lines.length;
  for (let gap = unknown; gap < at; gap++) {
    added.push(UNKNOWN);
    from.push(NO_EDIT);
  }
  let old = at;
  const byChance = origin === NO_EDIT ? undefined : yield* chanceMatchesIn(hunk, texts);
  let now = 0;
  for (const [sign, line] of hunk.lines) {
    if (sign !== '-') {
      added.push(line);
      const isByChance = byChance?.[now++] === 1;
      from.push(sign === '+' ? origin : isByChance ? guess(origin) : (origins[old] ?? NO_EDIT));
    }
    if (sign !== '+') old++;
  }
  return { from: start, to: Math.min(old, Math.max(lines.length, start)), lines: added, origins: from };
}

function* chanceMatchesIn({ old, lines }: NumberedHunk, texts: LineTexts): Work<Uint8Array> {
  const now: number[] = [];
  const places: number[] = [];
  let place = 0;
  for (const [sign, line] of lines) {
    if (sign !== '-') {
      now.push(line);
      places.push(sign === '+' ? -1 : place);
    }
    if (sign !== '+') place++;
  }
  return yield* chanceMatches(old.length, now, places, texts);
}

/**
 * Places hunks although the lines at their places have changed since: the file had the old lines of a hunk at that
 * time. Old lines that the document has nearby keep their origin. Returns the changes, and the hunks without any place.
 *
 * @param restored the origin of a line that the document lacks
 */
export function* forceHunks(
  document: LineDocument,
  hunks: readonly Hunk[],
  texts: LineTexts,
  origin: number,
  restored: (line: number) => number,
): Work<{ splices: Splice[]; left: number[] }> {
  const splices: Splice[] = [];
  const left: number[] = [];
  const lines = yield* searchedLines(document, hunks);
  let from = 0;
  let shift = 0;
  for (const [index, one] of hunks.entries()) {
    const hunk = yield* numbered(one, texts, false);
    const at = yield* placeOf(lines, hunk, from, shift, texts);
    const splice: Splice | undefined =
      at === undefined
        ? yield* nearSplice(lines, hunk, { from, shift, texts, origin, restored })
        : yield* spliceOf(document, { hunk, at, from }, origin, texts);
    if (!splice) {
      left.push(index);
      continue;
    }
    if (hunk.start !== undefined) shift = (at ?? splice.from) - hunk.start;
    splices.push(splice);
    from = at === undefined ? splice.to : at + hunk.old.length;
  }
  return { splices, left };
}

interface ForcedPlace {
  readonly from: number;
  readonly shift: number;
  readonly texts: LineTexts;
  readonly origin: number;
  readonly restored: (line: number) => number;
}

function* nearSplice(
  { lines, origins, index }: SearchedLines,
  { start, old, lines: changed }: NumberedHunk,
  { from, shift, texts, origin, restored }: ForcedPlace,
): Work<Splice | undefined> {
  if (old.length === 0) return undefined;
  const low = start === undefined ? from : Math.max(from, Math.min(start + shift, lines.length) - NEAR);
  const high = start === undefined ? lines.length : Math.max(start + shift, low) + old.length + NEAR;
  // Most hunks that fit nowhere have no line in common with the text.
  const isThere = (line: number): boolean => {
    const count = index?.count(line, low, high) ?? 1;
    return texts.isDistinctive(line) && (start === undefined ? count === 1 : count > 0);
  };
  if (!old.some(isThere)) return undefined;
  const { places, unique } = yield* aligning(lines.slice(low, high), old, texts);
  const matched = densestPart(
    // Without a recorded place, only lines that occur once give it.
    old.flatMap((line, at) => (places[at]! >= 0 && texts.isDistinctive(line) && (start !== undefined || unique[at] === 1) ? [at] : [])),
    places,
  );
  const [first, last] = [matched[0], matched.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const begin = Math.max(from, low + places[first]! - first);
  const end = Math.min(lines.length, low + places[last]! + old.length - last);
  const added: number[] = [];
  const addedOrigins: number[] = [];
  let at = 0;
  for (const [sign, line] of changed) {
    if (sign !== '-') {
      added.push(line);
      const place = sign === '+' ? -1 : places[at]!;
      const isInside = place >= 0 && low + place >= begin && low + place < end;
      addedOrigins.push(sign === '+' ? origin : isInside ? origins[low + place]! : restored(line));
    }
    if (sign !== '+') at++;
  }
  return { from: begin, to: end, lines: added, origins: addedOrigins };
}

/** Lines between two matching ones that others may have added. */
const MAX_ADDED = 20;

/** The matching lines that are near each other: the same text may also stand far away. */
function densestPart(matched: readonly number[], places: Int32Array): readonly number[] {
  let best: number[] = [];
  let part: number[] = [];
  for (const at of matched) {
    const last = part.at(-1);
    if (last !== undefined && Math.abs(places[at]! - places[last]! - (at - last)) > MAX_ADDED) part = [];
    part.push(at);
    if (part.length > best.length) best = part;
  }
  return best;
}
