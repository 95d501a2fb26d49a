/** The texts of a line as one text for the detectors, and what they find in it as parts of these texts. */
import { defined } from '../values/defined';
import { elementAt } from '../values/lookups';
import { BETWEEN } from './derivedText';
import type { Span } from './detectors/span';
import type { Steps } from '../session/steps';
import { STRINGS_OF_STEP } from './jsonStrings';
import type { LineString } from './lineDocument';

/** A text of a line, and where it begins in the text for the detectors. */
export interface Piece {
  readonly leaf: LineString;
  readonly start: number;
}

interface JoinedTexts {
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** The place in the text at which the runs begin. */
  readonly runsFrom: number;
}

/** Returns the texts of all leaves, one after the other, and after them those of each run as one; in steps. */
export function* joined(leaves: readonly LineString[], runs: readonly (readonly LineString[])[]): Steps<JoinedTexts> {
  const pieces: Piece[] = [];
  const texts: string[] = [];
  let parts: string[] = [];
  let length = 0;
  const put = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  const putLeaf = (leaf: LineString): void => {
    pieces.push({ leaf, start: length });
    put(leaf.string.value);
  };
  const endsStep = (): boolean => {
    if (parts.length < STRINGS_OF_STEP) return false;
    texts.push(parts.join(''));
    parts = [];
    return true;
  };
  for (const leaf of leaves) {
    putLeaf(leaf);
    put(BETWEEN);
    if (endsStep()) yield;
  }
  const runsFrom = length;
  for (const run of runs) {
    for (const leaf of run) {
      putLeaf(leaf);
      if (endsStep()) yield;
    }
    put(BETWEEN);
  }
  return { text: [...texts, ...parts].join(''), pieces, runsFrom };
}

/** Returns for each text the parts of what was found in its run. Both are in order. */
export function spansOfRuns(found: readonly Span[], pieces: readonly Piece[], text: string): Map<LineString, Span[]> {
  const spans = new Map<LineString, Span[]>();
  let first = 0;
  for (const span of found) {
    if (span.kind === 'uncertain') continue;
    const { secret = text.slice(span.start, span.end) } = span;
    const endOf = ({ leaf, start }: Piece): number => start + leaf.string.value.length;
    while (first < pieces.length && endOf(elementAt(pieces, first)) <= span.start) first++;
    for (let at = first; at < pieces.length; at++) {
      const { leaf, start } = elementAt(pieces, at);
      if (start >= span.end) break;
      const part = {
        ...span,
        secret,
        start: Math.max(0, span.start - start),
        end: Math.min(leaf.string.value.length, span.end - start),
        ...defined({ continues: span.start < start || undefined }),
      };
      const others = spans.get(leaf);
      if (others) others.push(part);
      else spans.set(leaf, [part]);
    }
  }
  return spans;
}
