/**
 * Aligns two texts by their lines: first by lines that are unique in both, in order, then the lines next to them, then
 * the lines in between. Takes time that is linear in the lines but for short stretches without unique lines.
 */

import type { LineTexts } from './lineTexts';
import { valueOf } from '../values/lookups';
import { ALIGNED, CHUNK, finishWork, type Work } from './work';

/** Stands for a line whose text isn't known; it is equal to no line. */
export const UNKNOWN = -1;

export interface Alignment {
  /** For each line of the new text, the place of its line in the old one, or -1. Increases where it isn't -1. */
  readonly places: Int32Array;
  /** For each line of the new text, 1 if its pair is the only one possible: both texts have it once. */
  readonly unique: Uint8Array;
}

/** Pairs of lines: their places in the old text, and in the new text. Two arrays take half the time of an array of pairs. */
interface Pairs {
  readonly old: readonly number[];
  readonly now: readonly number[];
}

const NO_PAIRS: Pairs = { old: [], now: [] };

interface Range {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
  readonly depth: number;
}

/** Weight of a line with words: it identifies its place better than several brackets and blank lines. */
const DISTINCTIVE_WEIGHT = 10;
const MAX_DEPTH = 24;
/** Maximum cells of one table, and of all tables of an alignment. */
const MAX_TABLE = 250_000;
const MAX_TABLES = 2_000_000;

/** @param a the old lines, as numbers; @param b the new ones */
export const alignLines = (a: readonly number[], b: readonly number[], texts: Pick<LineTexts, 'isDistinctive'>): Alignment =>
  finishWork(aligning(a, b, texts));

/** Does what `alignLines` does. */
export function* aligning(a: readonly number[], b: readonly number[], texts: Pick<LineTexts, 'isDistinctive'>): Work<Alignment> {
  const weightOf = (line: number): number => (texts.isDistinctive(line) ? DISTINCTIVE_WEIGHT : 1);
  const places = new Int32Array(b.length).fill(-1);
  const unique = new Uint8Array(b.length);
  const finder = new PairFinder(a, b);
  yield finder.size;
  let cells = MAX_TABLES;
  const open: Range[] = [{ a0: 0, a1: a.length, b0: 0, b1: b.length, depth: 0 }];
  for (let range = open.pop(); range; range = open.pop()) {
    let { a0, a1, b0, b1 } = range;
    if (a0 === a1 || b0 === b1) continue;
    yield (a1 - a0 + b1 - b0) * ALIGNED;
    const anchors = range.depth < MAX_DEPTH ? yield* heaviestIncreasing(finder.pairs(range), weightOf, a) : NO_PAIRS;
    const { old, now } = anchors;
    if (now.length > 0) {
      const push = (from: number, to: number, start: number, end: number): void => {
        if (from < to && start < end) open.push({ a0: from, a1: to, b0: start, b1: end, depth: range.depth + 1 });
      };
      // Lines after an anchor are nearer to it than lines before the next anchor: an inserted block keeps its own end.
      let fromA = a0;
      let fromB = b0;
      for (let index = 0; index < now.length; index++) {
        const x = old[index]!;
        const y = now[index]!;
        places[y] = x;
        if (range.depth === 0) unique[y] = 1;
        // Most lines follow each other in both texts, so that nothing is between them.
        if (x === fromA && y === fromB && old[index + 1] === x + 1) {
          fromA++;
          fromB++;
          continue;
        }
        let beforeA = x;
        let beforeB = y;
        while (beforeA > fromA && beforeB > fromB && same(a[beforeA - 1]!, b[beforeB - 1]!)) places[--beforeB] = --beforeA;
        push(fromA, beforeA, fromB, beforeB);
        const nextA = old[index + 1] ?? a1;
        const nextB = now[index + 1] ?? b1;
        fromA = x + 1;
        fromB = y + 1;
        while (fromA < nextA && fromB < nextB && same(a[fromA]!, b[fromB]!)) places[fromB++] = fromA++;
      }
      push(fromA, a1, fromB, b1);
      continue;
    }
    while (a0 < a1 && b0 < b1 && same(a[a0]!, b[b0]!)) places[b0++] = a0++;
    while (a1 > a0 && b1 > b0 && same(a[a1 - 1]!, b[b1 - 1]!)) places[--b1] = --a1;
    const table = (a1 - a0) * (b1 - b0);
    if (table === 0 || table > Math.min(MAX_TABLE, cells)) continue;
    cells -= table;
    yield table;
    alignByTable(a, b, { a0, a1, b0, b1, depth: 0 }, places, weightOf);
  }
  return { places, unique };
}

const same = (x: number, y: number): boolean => x === y && x !== UNKNOWN;

/** Lines from which on numbers are kept in an array instead of a map, if they are no larger than this many times the lines. */
const MANY = 64;
const DENSE = 64;

/** Finds the pairs of lines that each side of a range has once, in the order of the new ones. */
class PairFinder {
  /** For each side, the place of a line that's there once, from 1 on; empty between two uses. */
  private readonly places: readonly [Int32Array, Int32Array] | undefined;
  /** The amount of work of making it. */
  readonly size: number;

  constructor(
    private readonly a: readonly number[],
    private readonly b: readonly number[],
  ) {
    const count = a.length + b.length;
    this.size = count;
    if (count < MANY) return;
    let largest = 0;
    for (let at = 0; at < a.length; at++) if (a[at]! > largest) largest = a[at]!;
    for (let at = 0; at < b.length; at++) if (b[at]! > largest) largest = b[at]!;
    if (largest >= count * DENSE) return;
    this.places = [new Int32Array(largest + 1), new Int32Array(largest + 1)];
    this.size += largest;
  }

  pairs({ a0, a1, b0, b1 }: Range): Pairs {
    const { a, b, places } = this;
    if (!places) return this.fewPairs(placesOf(a, a0, a1), placesOf(b, b0, b1));
    const [inA, inB] = places;
    for (let at = a0; at < a1; at++) if (a[at]! >= 0) inA[a[at]!] = inA[a[at]!] === 0 ? at + 1 : SEVERAL;
    for (let at = b0; at < b1; at++) if (b[at]! >= 0) inB[b[at]!] = inB[b[at]!] === 0 ? at + 1 : SEVERAL;
    const old: number[] = [];
    const now: number[] = [];
    for (let at = b0; at < b1; at++) {
      const line = b[at]!;
      if (line < 0 || inB[line]! < 0 || inA[line]! <= 0) continue;
      old.push(inA[line]! - 1);
      now.push(at);
    }
    for (let at = a0; at < a1; at++) if (a[at]! >= 0) inA[a[at]!] = 0;
    for (let at = b0; at < b1; at++) if (b[at]! >= 0) inB[b[at]!] = 0;
    return { old, now };
  }

  private fewPairs(inA: ReadonlyMap<number, number>, inB: ReadonlyMap<number, number>): Pairs {
    const pairs = [...inB].filter(([line, at]) => line !== UNKNOWN && at > 0 && (inA.get(line) ?? SEVERAL) > 0);
    return { old: pairs.map(([line]) => valueOf(inA, line) - 1), now: pairs.map(([, at]) => at - 1) };
  }
}

const SEVERAL = -1;

/** The places of lines from 1 on, or `SEVERAL`, in the order of the lines. */
function placesOf(lines: readonly number[], from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at++) places.set(lines[at]!, places.has(lines[at]!) ? SEVERAL : at + 1);
  return places;
}

/** The pairs of the greatest total weight whose old places increase, too. */
function* heaviestIncreasing(pairs: Pairs, weightOf: (line: number) => number, a: readonly number[]): Work<Pairs> {
  const { old, now } = pairs;
  if (isIncreasing(old)) return pairs;
  const sorted = Int32Array.from(old).sort();
  yield old.length * ALIGNED;
  const ranks = new Map<number, number>();
  for (let at = 0; at < sorted.length; at++) ranks.set(sorted[at]!, at + 1);
  /** A binary indexed tree: the heaviest sequence so far that ends in the old places up to a rank, as the place of its end. */
  const best = new Int32Array(old.length + 1).fill(-1);
  const weights = new Float64Array(old.length);
  const before = new Int32Array(old.length);
  let end = -1;
  for (let index = 0; index < old.length; index++) {
    if (index % CHUNK === 0) yield Math.min(CHUNK, old.length - index) * ALIGNED;
    const x = old[index]!;
    const rank = valueOf(ranks, x);
    let last = -1;
    for (let at = rank - 1; at > 0; at -= at & -at)
      if (best[at]! >= 0 && (last < 0 || weights[best[at]!]! > weights[last]!)) last = best[at]!;
    before[index] = last;
    const weight = weightOf(a[x]!) + (last < 0 ? 0 : weights[last]!);
    weights[index] = weight;
    for (let at = rank; at < best.length; at += at & -at) if (best[at]! < 0 || weight > weights[best[at]!]!) best[at] = index;
    if (end < 0 || weight > weights[end]!) end = index;
  }
  const found: number[] = [];
  for (let at = end; at >= 0; at = before[at]!) found.push(at);
  found.reverse();
  return { old: found.map((at) => old[at]!), now: found.map((at) => now[at]!) };
}

function isIncreasing(numbers: readonly number[]): boolean {
  for (let at = 1; at < numbers.length; at++) if (numbers[at - 1]! >= numbers[at]!) return false;
  return true;
}

/** The longest common sequence of a short range. */
function alignByTable(
  a: readonly number[],
  b: readonly number[],
  { a0, a1, b0, b1 }: Range,
  places: Int32Array,
  weightOf: (line: number) => number,
): void {
  const width = b1 - b0 + 1;
  const lengths = new Uint32Array((a1 - a0 + 1) * width);
  for (let x = a1 - a0 - 1; x >= 0; x--) {
    for (let y = b1 - b0 - 1; y >= 0; y--) {
      const at = x * width + y;
      lengths[at] = same(a[a0 + x]!, b[b0 + y]!)
        ? lengths[at + width + 1]! + weightOf(a[a0 + x]!)
        : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  for (let [x, y] = [0, 0]; x < a1 - a0 && y < b1 - b0;) {
    const at = x * width + y;
    if (same(a[a0 + x]!, b[b0 + y]!)) {
      places[b0 + y] = a0 + x;
      [x, y] = [x + 1, y + 1];
    } else if (lengths[at + width]! >= lengths[at + 1]!) x++;
    else y++;
  }
}
