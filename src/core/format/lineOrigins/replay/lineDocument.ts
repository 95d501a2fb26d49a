/** A text as lines that know which edit they come from. Lines may be unknown, where only parts of a file are recorded. */
import { UNKNOWN } from '../alignLines';
import { joinLists, MAX_ARGUMENTS } from '../joinLists';
import { NO_EDIT } from './origin';

/** Maximum lines of a document; longer ones aren't followed. */
export const MAX_LINES = 200_000;

export interface LineDocument {
  /** Numbers of `LineTexts`, or `UNKNOWN`. */
  readonly lines: readonly number[];
  /** For each line, the edit's number, a guess of it, or `NO_EDIT`. */
  readonly origins: readonly number[];
  /** False if lines at the end may be missing. */
  readonly isWhole: boolean;
}

export const UNKNOWN_DOCUMENT: LineDocument = { lines: [], origins: [], isWhole: false };

/** Returns a document whose lines come from no known edit. */
export const documentOf = (lines: readonly number[]): LineDocument => ({
  lines,
  origins: new Array<number>(lines.length).fill(NO_EDIT),
  isWhole: true,
});

/** The numbers of equal lines at the beginning and at the end. @param from of the part of `a` that is compared, and `to` */
export function commonEnds(a: readonly number[], b: readonly number[], from = 0, to = a.length): [start: number, end: number] {
  const most = Math.min(to - from, b.length);
  let start = 0;
  while (start < most && a[from + start] === b[start] && b[start] !== UNKNOWN) start++;
  let end = 0;
  while (end < most - start && a[to - 1 - end] === b[b.length - 1 - end] && b[b.length - 1 - end] !== UNKNOWN) end++;
  return [start, end];
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
  const [only] = splices;
  if (splices.length === 1 && only && only.from <= document.lines.length && only.lines.length <= MAX_ARGUMENTS) {
    // Most edits change one stretch. This copies each list once.
    const count = only.to - only.from;
    const lines = document.lines.toSpliced(only.from, count, ...only.lines);
    return { lines, origins: document.origins.toSpliced(only.from, count, ...only.origins), isWhole: document.isWhole };
  }
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
  return { lines: joinLists(lines), origins: joinLists(origins), isWhole: document.isWhole };
}
