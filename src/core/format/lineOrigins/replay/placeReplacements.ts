/** Finds texts that an edit replaced in a document, and the lines that take their place there. */
import { elementAt, lastOf } from '../../values/lookups';
import { UNKNOWN } from '../alignLines';
import type { Replacement } from '../record/fileEdit';
import { findLines } from './findLines';
import { MAX_LINES, type LineDocument, type Splice } from './lineDocument';
import { withText } from './withText';
import { linesOf, type LineTexts } from '../lineTexts';
import { ALIGNED, CHUNK, type Work } from '../work';

/** Places of all replacements of an edit; one with more is placed nowhere. */
const MAX_PLACES = 50_000;

/** A text within lines: it begins in the line `from` and ends in the line `to`, inclusive. */
interface Place {
  readonly from: number;
  readonly to: number;
  /** The index in the first line at which the text begins, in UTF-16 units. */
  readonly start: number;
  readonly replacement: Replacement;
}

/**
 * Returns the changes, or `undefined` unless each text is in the document, and only once where only one was replaced.
 * All are looked for in the same text, as pi does.
 */
export function* placeReplacements(
  document: LineDocument,
  replacements: readonly Replacement[],
  texts: LineTexts,
  origin: number,
): Work<Splice[] | undefined> {
  const places: Place[] = [];
  for (const replacement of replacements) {
    const found = yield* placesOf(document, replacement, texts);
    if (found.length === 0 || (found.length > 1 && !replacement.all) || places.length + found.length > MAX_PLACES) return undefined;
    for (const place of found) places.push(place);
  }
  yield places.length * ALIGNED;
  places.sort((a, b) => a.from - b.from || a.start - b.start);
  const splices: Splice[] = [];
  for (let first = 0; first < places.length;) {
    // Replacements that meet in a line change it together.
    let end = first + 1;
    while (end < places.length && elementAt(places, end).from <= elementAt(places, end - 1).to) end++;
    const splice = yield* spliceOf(document, places.slice(first, end), texts, origin);
    if (!splice) return undefined;
    splices.push(splice);
    first = end;
  }
  return splices;
}

function* placesOf({ lines }: LineDocument, replacement: Replacement, texts: LineTexts): Work<Place[]> {
  const wanted = linesOf(replacement.before);
  if (replacement.before === '' || wanted.length > MAX_LINES) return [];
  const height = wanted.length - 1;
  // Two places are enough to see that a text occurs more than once.
  const most = replacement.all ? MAX_PLACES + 1 : 2;
  const starts =
    height === 0 ? yield* startsInLines(lines, elementAt(wanted, 0), texts, most) : yield* startsOfLines(lines, wanted, texts, most);
  const found: Place[] = [];
  for (const { from, start } of starts) {
    // All that are replaced don't overlap; the next one may begin in the line in which this one ends.
    if (replacement.all && height > 0 && from < (found.at(-1)?.to ?? 0)) continue;
    found.push({ from, to: from + height, start, replacement });
  }
  return found;
}

type Start = Pick<Place, 'from' | 'start'>;

/**
 * UTF-16 units of a text that are searched for; where they are found, the whole text is compared. Searching for long
 * texts may take seconds.
 */
const MAX_HEAD = 200;
/** UTF-16 units of a text that are searched, compared or joined in the time of an amount of 1. */
const UNITS = 16;

/** Returns the places of a text within lines, at most `most` of them. */
function* startsInLines(lines: readonly number[], wanted: string, texts: LineTexts, most: number): Work<Start[]> {
  const head = wanted.slice(0, MAX_HEAD);
  const found: Start[] = [];
  for (let from = 0; from < lines.length; from++) {
    if (from % CHUNK === 0) yield Math.min(CHUNK, lines.length - from) * SEARCHED;
    const line = lines[from]!;
    if (line === UNKNOWN) continue;
    const text = texts.text(line);
    if (text.length > MAX_HEAD) yield text.length / UNITS;
    for (let start = text.indexOf(head); start >= 0;) {
      yield ALIGNED + wanted.length / UNITS;
      const isThere = text.startsWith(wanted, start);
      if (isThere && found.push({ from, start }) === most) return found;
      start = text.indexOf(head, start + (isThere ? wanted.length : 1));
    }
  }
  return found;
}

/** The amount of work for searching a line for a text. */
const SEARCHED = 4;

/** Like `startsInLines`. The first line may have more before the text, and the last one after it. */
function* startsOfLines(lines: readonly number[], wanted: readonly string[], texts: LineTexts, most: number): Work<Start[]> {
  const [head = '', tail = ''] = [wanted[0], wanted.at(-1)];
  const height = wanted.length - 1;
  const textAt = (at: number): string | undefined => (lines[at] === undefined || lines[at] === UNKNOWN ? undefined : texts.text(lines[at]));
  yield wanted.length * ALIGNED;
  const inner = texts.numbersOf(wanted.slice(1, -1));
  const found: Start[] = [];
  let seen = 0;
  for (const at of inner.length === 0 ? lines.keys() : findLines(lines, inner, 1)) {
    if (at - seen >= CHUNK) {
      yield (at - seen) * SEARCHED;
      seen = at;
    }
    const from = inner.length === 0 ? at : at - 1;
    const first = textAt(from);
    if (!first?.endsWith(head) || !textAt(from + height)?.startsWith(tail)) continue;
    if (found.push({ from, start: first.length - head.length }) === most) return found;
  }
  yield (lines.length - seen) * SEARCHED;
  return found;
}

function* spliceOf({ lines, origins }: LineDocument, places: readonly Place[], texts: LineTexts, origin: number): Work<Splice | undefined> {
  const from = elementAt(places, 0).from;
  const to = lastOf(places).to + 1;
  const old = lines.slice(from, to);
  yield old.length * ALIGNED;
  const before = old.map((line) => texts.text(line)).join('\n');
  const starts = lineStarts(old, texts);
  let [after, at] = ['', 0];
  for (const { from: line, start, replacement } of places) {
    const begin = elementAt(starts, line - from) + start;
    if (begin < at) return undefined;
    yield ALIGNED + (replacement.before.length + replacement.after.length) / UNITS;
    after += before.slice(at, begin) + linesOf(replacement.after).join('\n');
    at = begin + linesOf(replacement.before).join('\n').length;
  }
  after += before.slice(at);
  yield after.length / UNITS;
  const now = texts.numbersOf(after.split('\n'));
  // Most that are replaced everywhere are within a line.
  if (old.length === 1 && now.length === 1)
    return { from, to, lines: now, origins: now[0] === old[0] ? origins.slice(from, to) : [origin] };
  const { origins: changed } = yield* withText({ lines: old, origins: origins.slice(from, to), isWhole: true }, now, texts, origin);
  return { from, to, lines: now, origins: changed };
}

function lineStarts(lines: readonly number[], texts: LineTexts): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += texts.text(line).length + 1;
    return start;
  });
}
