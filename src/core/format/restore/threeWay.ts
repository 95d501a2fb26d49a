/**
 * Merges three versions of a text by their lines. The texts are split at lines that each of them has once, so that the
 * library, whose time grows with the square of what it gets, only sees the short pieces that differ.
 */
import { diff3Merge } from 'node-diff3';
import { elementAt } from '../values/lookups';
import { aligning, type Alignment } from '../lineOrigins/alignLines';
import { limitedWork, workSteps } from '../lineOrigins/work';
import { stepCounter, type Steps } from '../session/steps';
import { mergedForm, withForm, type Versions } from './textForm';

/** `overlap`: both sides changed the same lines, or lines next to each other. `tooMuch`: they can't be compared in a short time. */
export type MergeResult = { readonly kind: 'merged'; readonly text: string } | { readonly kind: 'overlap' | 'tooMuch' };

/** The highest cost of a piece: pairs of equal lines, times the lines that each pair may be compared with. About 10 ms. */
const MAX_COST = 5_000_000;
/** The most lines of one text. */
const MAX_LINES = 200_000;
/** The highest amount of work of one alignment. */
const MAX_WORK = 100_000_000;

/**
 * Merges the changes of two sides. Lines keep their bytes. If each text has line breaks of one kind, these and the byte order mark
 * are merged as properties of the text: a side that changed them keeps that, and all other changes fit nevertheless.
 */
export function* mergeTexts(texts: Versions<string>): Steps<MergeResult> {
  const form = mergedForm(texts);
  const merged = yield* mergeLines(form ? form.plain : texts);
  return form && merged.kind === 'merged' ? { kind: 'merged', text: withForm(merged.text, form) } : merged;
}

function* mergeLines({ base, theirs, mine }: Versions<string>): Steps<MergeResult> {
  const lines = new Lines();
  const all = { base: yield* lines.add(base), theirs: yield* lines.add(theirs), mine: yield* lines.add(mine) };
  if (Math.max(all.base.length, all.theirs.length, all.mine.length) > MAX_LINES) return { kind: 'tooMuch' };
  const pieces = yield* split(all);
  if (!pieces) return { kind: 'tooMuch' };
  const merged: string[] = [];
  const isDue = stepCounter();
  for (const piece of pieces) {
    const found = mergePiece(piece);
    if (!found.lines) return { kind: found.kind };
    for (const line of found.lines) merged.push(lines.textOf(line));
    if (isDue() || found.kind === 'compared') yield;
  }
  return { kind: 'merged', text: merged.join('') };
}

/** Lines with their line breaks, as numbers: equal lines have equal numbers. */
class Lines {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];

  *add(text: string): Steps<number[]> {
    const found: number[] = [];
    const isDue = stepCounter();
    for (let from = 0; from < text.length;) {
      const end = text.indexOf('\n', from) + 1 || text.length;
      found.push(this.numberOf(text.slice(from, end)));
      from = end;
      if (isDue()) yield;
    }
    return found;
  }

  textOf = (number: number): string => elementAt(this.texts, number);

  private numberOf(line: string): number {
    const known = this.numbers.get(line);
    if (known !== undefined) return known;
    this.numbers.set(line, this.texts.length);
    return this.texts.push(line) - 1;
  }
}

/** Splits the texts before lines that each of them has once, in the same order. Returns `undefined` if that takes too long. */
function* split({ base, theirs, mine }: Versions<readonly number[]>): Steps<Versions<readonly number[]>[] | undefined> {
  const inTheirs = yield* uniquePlaces(base, theirs);
  const inMine = yield* uniquePlaces(base, mine);
  if (!inTheirs || !inMine) return undefined;
  const pieces: Versions<readonly number[]>[] = [];
  const from = { base: 0, theirs: 0, mine: 0 };
  const isDue = stepCounter();
  for (let at = 0; at <= base.length; at++) {
    const isEnd = at === base.length;
    const to = { base: at, theirs: isEnd ? theirs.length : inTheirs[at]!, mine: isEnd ? mine.length : inMine[at]! };
    if (to.theirs < 0 || to.mine < 0) continue;
    pieces.push({
      base: base.slice(from.base, to.base),
      theirs: theirs.slice(from.theirs, to.theirs),
      mine: mine.slice(from.mine, to.mine),
    });
    Object.assign(from, to);
    if (isDue()) yield;
  }
  return pieces;
}

/** For each line of the base, its place in the other text, or -1 unless both have it once. The places increase. */
function* uniquePlaces(base: readonly number[], other: readonly number[]): Steps<Int32Array | undefined> {
  const aligned: Alignment | undefined = yield* workSteps(
    limitedWork(aligning(base, other, { isDistinctive: () => true }), MAX_WORK, undefined),
  );
  if (!aligned) return undefined;
  const places = new Int32Array(base.length).fill(-1);
  for (let at = 0; at < other.length; at++) if (aligned.unique[at] === 1) places[aligned.places[at]!] = at;
  return places;
}

type MergedPiece =
  | { readonly kind: 'taken' | 'compared'; readonly lines: readonly number[] }
  | { readonly kind: 'overlap' | 'tooMuch'; readonly lines?: undefined };

function mergePiece({ base, theirs, mine }: Versions<readonly number[]>): MergedPiece {
  if (isSame(base, mine) || isSame(mine, theirs)) return { kind: 'taken', lines: theirs };
  if (isSame(base, theirs)) return { kind: 'taken', lines: mine };
  if (costOf(base, theirs) + costOf(base, mine) > MAX_COST) return { kind: 'tooMuch' };
  const regions = diff3Merge([...mine], [...base], [...theirs]);
  if (regions.some(({ conflict }) => conflict)) return { kind: 'overlap' };
  return { kind: 'compared', lines: regions.flatMap(({ ok }) => ok ?? []) };
}

const isSame = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((line, at) => line === b[at]);

function costOf(a: readonly number[], b: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const line of b) counts.set(line, (counts.get(line) ?? 0) + 1);
  let pairs = 0;
  for (const line of a) pairs += counts.get(line) ?? 0;
  return pairs * Math.min(a.length, b.length) + a.length + b.length;
}
