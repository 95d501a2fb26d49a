/** Finds texts that an edit replaced in a document, and the lines that take their place there. */
import { elementAt, lastOf } from '../../entry/lookups';
import { UNKNOWN } from '../alignLines';
import type { Replacement } from '../record/fileEdit';
import { findLines } from './findLines';
import { MAX_LINES, type LineDocument, type Splice } from './lineDocument';
import { withText } from './withText';
import { linesOf, type LineTexts } from '../lineTexts';

/** Places of a text that is replaced everywhere. */
const MAX_PLACES = 10_000;

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
export function placeReplacements(
  document: LineDocument,
  replacements: readonly Replacement[],
  texts: LineTexts,
  origin: number,
): Splice[] | undefined {
  const places: Place[] = [];
  for (const replacement of replacements) {
    const found = placesOf(document, replacement, texts);
    if (found.length === 0 || (found.length > 1 && !replacement.all)) return undefined;
    places.push(...found);
  }
  places.sort((a, b) => a.from - b.from || a.start - b.start);
  const splices: Splice[] = [];
  for (let first = 0; first < places.length;) {
    // Replacements that meet in a line change it together.
    let end = first + 1;
    while (end < places.length && elementAt(places, end).from <= elementAt(places, end - 1).to) end++;
    const splice = spliceOf(document, places.slice(first, end), texts, origin);
    if (!splice) return undefined;
    splices.push(splice);
    first = end;
  }
  return splices;
}

function placesOf({ lines }: LineDocument, replacement: Replacement, texts: LineTexts): Place[] {
  const wanted = linesOf(replacement.before);
  if (replacement.before === '' || wanted.length > MAX_LINES) return [];
  const height = wanted.length - 1;
  const found: Place[] = [];
  for (const { from, start } of height === 0 ? placesInLines(lines, elementAt(wanted, 0), texts) : placesOfLines(lines, wanted, texts)) {
    // All that are replaced don't overlap; the next one may begin in the line in which this one ends.
    if (replacement.all && height > 0 && from < (found.at(-1)?.to ?? 0)) continue;
    found.push({ from, to: from + height, start, replacement });
    if (found.length >= MAX_PLACES) break;
  }
  return found;
}

/** Characters of a line times those of a text that is looked for in it; a longer search may take seconds. */
const MAX_SEARCH = 1e9;

function* placesInLines(lines: readonly number[], wanted: string, texts: LineTexts): Generator<{ from: number; start: number }> {
  for (const [from, line] of lines.entries()) {
    if (line === UNKNOWN) continue;
    const text = texts.text(line);
    if (text.length * wanted.length > MAX_SEARCH) continue;
    for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + wanted.length)) yield { from, start };
  }
}

/** The first line may have more before the text, and the last one after it. */
function* placesOfLines(lines: readonly number[], wanted: readonly string[], texts: LineTexts): Generator<{ from: number; start: number }> {
  const [head = '', tail = ''] = [wanted[0], wanted.at(-1)];
  const height = wanted.length - 1;
  const textAt = (at: number): string | undefined => (lines[at] === undefined || lines[at] === UNKNOWN ? undefined : texts.text(lines[at]));
  const inner = texts.numbersOf(wanted.slice(1, -1));
  for (const at of inner.length === 0 ? lines.keys() : findLines(lines, inner, 1)) {
    const from = inner.length === 0 ? at : at - 1;
    const first = textAt(from);
    if (first?.endsWith(head) && textAt(from + height)?.startsWith(tail)) yield { from, start: first.length - head.length };
  }
}

function spliceOf({ lines, origins }: LineDocument, places: readonly Place[], texts: LineTexts, origin: number): Splice | undefined {
  const from = elementAt(places, 0).from;
  const to = lastOf(places).to + 1;
  const old = lines.slice(from, to);
  const before = old.map((line) => texts.text(line)).join('\n');
  const starts = lineStarts(old, texts);
  let [after, at] = ['', 0];
  for (const { from: line, start, replacement } of places) {
    const begin = elementAt(starts, line - from) + start;
    if (begin < at) return undefined;
    after += before.slice(at, begin) + linesOf(replacement.after).join('\n');
    at = begin + linesOf(replacement.before).join('\n').length;
  }
  const now = texts.numbersOf((after + before.slice(at)).split('\n'));
  const { origins: changed } = withText({ lines: old, origins: origins.slice(from, to), isWhole: true }, now, texts, origin);
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
