/** Finds texts that an edit replaced in a document, and the lines that take their place there. */
import { UNKNOWN } from './alignLines';
import type { Replacement } from './fileEdit';
import { MAX_LINES, withText, type LineDocument, type Splice } from './lineDocument';
import { linesOf, type LineTexts } from './lineTexts';

/** Places of a text that is replaced everywhere. */
const MAX_PLACES = 10_000;

/** A text within lines: it begins in the line `from` and ends in the line `to`, inclusive. */
interface Place {
  readonly from: number;
  readonly to: number;
  /** Its beginning in the first line, in UTF-16 units. */
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
    while (end < places.length && places[end]!.from <= places[end - 1]!.to) end++;
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
  const found: Place[] = [];
  const [head = '', tail = ''] = [wanted[0], wanted.at(-1)];
  const inner = wanted.slice(1, -1).map((line) => texts.numberOf(line));
  const height = wanted.length - 1;
  const text = (at: number): string | undefined => (lines[at] === undefined || lines[at] === UNKNOWN ? undefined : texts.text(lines[at]));
  for (let at = 0; at + height < lines.length && found.length < MAX_PLACES; at++) {
    const first = text(at);
    if (first === undefined) continue;
    if (height === 0) {
      for (let start = first.indexOf(head); start >= 0 && found.length < MAX_PLACES; start = first.indexOf(head, start + head.length))
        found.push({ from: at, to: at, start, replacement });
      continue;
    }
    if (!first.endsWith(head) || !inner.every((line, index) => lines[at + 1 + index] === line) || !text(at + height)?.startsWith(tail))
      continue;
    found.push({ from: at, to: at + height, start: first.length - head.length, replacement });
    if (replacement.all) at += Math.max(0, height - 1);
  }
  return found;
}

function spliceOf({ lines, origins }: LineDocument, places: readonly Place[], texts: LineTexts, origin: number): Splice | undefined {
  const from = places[0]!.from;
  const to = places.at(-1)!.to + 1;
  const old = lines.slice(from, to);
  const before = old.map((line) => texts.text(line)).join('\n');
  const starts = lineStarts(old, texts);
  let [after, at] = ['', 0];
  for (const { from: line, start, replacement } of places) {
    const begin = starts[line - from]! + start;
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
