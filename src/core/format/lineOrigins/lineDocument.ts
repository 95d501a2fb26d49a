/** A text as lines that know which edit they come from. Lines may be unknown, where only parts of a file are recorded. */
import { alignLines, UNKNOWN } from './alignLines';
import { leaderOf } from './blockEnds';
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
  const [start, end] = farEnds(document.lines, lines);
  const changed = changedOrigins(
    {
      ...document,
      lines: document.lines.slice(start, document.lines.length - end),
      origins: document.origins.slice(start, document.lines.length - end),
    },
    lines.slice(start, lines.length - end),
    texts,
    origin,
    known && withoutEnds(known, lines, start, end),
  );
  return {
    lines,
    origins: document.origins.slice(0, start).concat(changed, document.origins.slice(document.lines.length - end)),
    isWhole: true,
  };
}

/** Leaves out what a known text has in common with the new one, as far as that isn't aligned either. */
function withoutEnds(known: readonly number[], lines: readonly number[], start: number, end: number): readonly number[] {
  const [same, sameEnd] = commonEnds(known, lines);
  return known.slice(Math.min(same, start), known.length - Math.min(sameEnd, end));
}

/** Equal lines next to a change that are aligned with it. */
const CONTEXT = 60;

/** The numbers of equal lines at the beginning and at the end that are far from any change. */
function farEnds(a: readonly number[], b: readonly number[]): [start: number, end: number] {
  const [start, end] = commonEnds(a, b);
  return start === a.length && start === b.length ? [start, 0] : [Math.max(0, start - CONTEXT), Math.max(0, end - CONTEXT)];
}

/** The numbers of equal lines at the beginning and at the end. */
export function commonEnds(a: readonly number[], b: readonly number[]): [start: number, end: number] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start] && a[start] !== UNKNOWN) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end] && b[b.length - 1 - end] !== UNKNOWN) end++;
  return [start, end];
}

function changedOrigins(
  document: LineDocument,
  lines: readonly number[],
  texts: LineTexts,
  origin: number | ((line: number) => number),
  known: readonly number[] | undefined,
): number[] {
  const alignment = alignLines(document.lines, lines);
  const { places } = alignment;
  const doubtful = doubtfulLines(document.lines, document.origins, lines, alignment);
  const foreign = known && alignLines(known, lines).places;
  const moved = originsOfLeft(document, places, texts);
  /** 1 for lines that were added. A closing bracket that may be another one belongs to the line that it closes. */
  const isNew = new Uint8Array(lines.length);
  const changed: number[] = [];
  for (const [at, line] of lines.entries()) changed.push(originOf(line, at));
  return changed;

  function originOf(line: number, at: number): number {
    if (places[at]! >= 0 && doubtful[at] === 0) return document.origins[places[at]!]!;
    if (doubtful[at] === 1) {
      const leader = leaderOf(lines, at, texts);
      if (leader === undefined || !isNew[leader]) return NO_EDIT;
      isNew[at] = 1;
      return changed[leader]!;
    }
    if (foreign && foreign[at]! >= 0) return NO_EDIT;
    isNew[at] = 1;
    return moved.get(line)?.pop() ?? (typeof origin === 'number' ? origin : origin(line));
  }
}

/** The origins of the lines without a pair that say something, by line. */
function originsOfLeft({ lines, origins }: LineDocument, places: Int32Array, texts: LineTexts): Map<number, number[]> {
  const paired = new Uint8Array(lines.length);
  for (const place of places) if (place >= 0) paired[place] = 1;
  const left = new Map<number, number[]>();
  for (const [at, line] of lines.entries()) {
    if (line === UNKNOWN || paired[at] === 1 || !texts.isTelling(line)) continue;
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

/** The number of arguments of a call is limited; `flat` isn't, and takes ten times as long. */
const MAX_ARGUMENTS = 1000;
const joined = (parts: readonly (readonly number[])[]): number[] =>
  parts.length <= MAX_ARGUMENTS ? ([] as number[]).concat(...parts) : parts.flat();

/** Replaces stretches that don't overlap; they are in order. */
export function spliced(document: LineDocument, splices: readonly Splice[]): LineDocument {
  const lines: (readonly number[])[] = [];
  const origins: (readonly number[])[] = [];
  let at = 0;
  const copyTo = (end: number): void => {
    const missing = end - Math.max(at, document.lines.length);
    lines.push(document.lines.slice(at, end), missing > 0 ? new Array<number>(missing).fill(UNKNOWN) : []);
    origins.push(document.origins.slice(at, end), missing > 0 ? new Array<number>(missing).fill(NO_EDIT) : []);
  };
  for (const splice of splices) {
    copyTo(splice.from);
    lines.push(splice.lines);
    origins.push(splice.origins);
    at = splice.to;
  }
  copyTo(document.lines.length);
  return { lines: joined(lines), origins: joined(origins), isWhole: document.isWhole };
}
