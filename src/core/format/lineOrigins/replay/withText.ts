/** Replaces the whole text of a document. */
import type { LineTexts } from '../lineTexts';
import { changedOrigins, type IntermediateText } from './changedOrigins';
import { commonEnds, type LineDocument } from './lineDocument';
import type { Work } from '../work';

/**
 * Replaces the whole text. Lines that the document already has keep their origin, even if they moved; the others get
 * `origin`, or its result, except for lines that the intermediate text has.
 */
export function* withText(
  document: LineDocument,
  lines: readonly number[],
  texts: LineTexts,
  origin: number | ((line: number) => number),
  intermediate?: IntermediateText,
): Work<LineDocument> {
  yield document.lines.length + lines.length;
  const [start, end] = farEnds(document.lines, lines);
  const changed = yield* changedOrigins(
    {
      ...document,
      lines: document.lines.slice(start, document.lines.length - end),
      origins: document.origins.slice(start, document.lines.length - end),
    },
    lines.slice(start, lines.length - end),
    texts,
    origin,
    intermediate && { ...intermediate, lines: withoutEnds(intermediate.lines, lines, start, end) },
  );
  return {
    lines,
    origins: document.origins.slice(0, start).concat(changed, document.origins.slice(document.lines.length - end)),
    isWhole: true,
  };
}

/** Leaves out the lines that a known text has in common with the new text, as far as they aren't aligned either. */
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
