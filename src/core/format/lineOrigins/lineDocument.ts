/** A text as lines that know which edit they come from. Lines may be unknown, where only parts of a file are recorded. */
import { alignLines, UNKNOWN } from './alignLines';
import { doubtfulLines } from './doubtfulLines';
import type { LineTexts } from './lineTexts';

/** The origin of lines that no edit wrote. */
export const NO_EDIT = -1;

/** Lines of a document; what is longer isn't followed. */
export const MAX_LINES = 200_000;

export interface LineDocument {
  /** Numbers of `LineTexts`, or `UNKNOWN`. */
  readonly lines: readonly number[];
  /** For each line, the edit's number, or `NO_EDIT`. */
  readonly origins: readonly number[];
  /** False if lines at the end may be missing. */
  readonly isWhole: boolean;
}

export const NOTHING_KNOWN: LineDocument = { lines: [], origins: [], isWhole: false };

/** Returns a document that nobody's edits wrote. */
export const documentOf = (lines: readonly number[]): LineDocument => ({
  lines,
  origins: new Array<number>(lines.length).fill(NO_EDIT),
  isWhole: true,
});

/**
 * Replaces the whole text. Lines that the document already has keep their origin, even if they moved; the others get
 * `origin`, or what it returns, except for those that `known` has, which somebody else wrote in between.
 */
export function withText(
  document: LineDocument,
  lines: readonly number[],
  texts: LineTexts,
  origin: number | ((line: number) => number),
  known?: readonly number[],
): LineDocument {
  const alignment = alignLines(document.lines, lines);
  const { places } = alignment;
  const doubtful = doubtfulLines(document.lines, document.origins, lines, alignment);
  const foreign = known && alignLines(known, lines).places;
  const moved = originsOfLeft(document, places, texts);
  const originOf = (line: number, at: number): number => {
    if (places[at]! >= 0 && doubtful[at] === 0) return document.origins[places[at]!]!;
    if (doubtful[at] === 1 || (foreign && foreign[at]! >= 0)) return NO_EDIT;
    return moved.get(line)?.pop() ?? (typeof origin === 'number' ? origin : origin(line));
  };
  return { lines, origins: lines.map(originOf), isWhole: true };
}

/** The origins of the lines without a pair that say something, by line. */
function originsOfLeft({ lines, origins }: LineDocument, places: Int32Array, texts: LineTexts): Map<number, number[]> {
  const paired = new Set(places);
  const left = new Map<number, number[]>();
  for (const [at, line] of lines.entries()) {
    if (line === UNKNOWN || paired.has(at) || !texts.isTelling(line)) continue;
    const others = left.get(line);
    if (others) others.push(origins[at]!);
    else left.set(line, [origins[at]!]);
  }
  return left;
}

/** A stretch of old lines and the lines that take its place. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly number[];
  readonly origins: readonly number[];
}

/** Replaces stretches that don't overlap; they are in order. */
export function spliced(document: LineDocument, splices: readonly Splice[]): LineDocument {
  const lines: number[] = [];
  const origins: number[] = [];
  let at = 0;
  const copyTo = (end: number): void => {
    for (; at < end; at++) {
      lines.push(document.lines[at] ?? UNKNOWN);
      origins.push(document.origins[at] ?? NO_EDIT);
    }
  };
  for (const splice of splices) {
    copyTo(splice.from);
    for (const line of splice.lines) lines.push(line);
    for (const origin of splice.origins) origins.push(origin);
    at = splice.to;
  }
  copyTo(document.lines.length);
  return { lines, origins, isWhole: document.isWhole };
}
