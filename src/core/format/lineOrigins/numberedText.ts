/**
 * Numbers the lines of a text that is similar to one whose numbers are known. Equal stretches are compared as a whole and
 * take its numbers, so that only lines that differ are split and looked up.
 */
import { elementAt } from '../values/lookups';
import { joinLists } from './joinLists';
import { ALIGNED, CHUNK, type Work } from './work';

/** A text without carriage returns and the number of each of its lines. */
export interface NumberedText {
  readonly text: string;
  readonly numbers: readonly number[];
  /** The places at which lines begin, in UTF-16 units; then the text's length and 1. */
  readonly starts: Int32Array;
}

/** Numbers the lines of a text one by one. */
export function* numberedText(text: string, lines: readonly string[], numberOf: (line: string) => number): Work<NumberedText> {
  const starts = new Int32Array(lines.length + 1);
  const numbers: number[] = [];
  let start = 0;
  for (let at = 0; at < lines.length; at++) {
    if (at % CHUNK === 0) yield Math.min(CHUNK, lines.length - at) * ALIGNED;
    const line = elementAt(lines, at);
    numbers.push(numberOf(line));
    starts[at + 1] = start += line.length + 1;
  }
  return { text, numbers, starts };
}

/** Equal lines that may be so by chance. */
const FEW_LINES = 3;
/** Lines of the known text in which a line after a difference is looked for. */
const WINDOW = 200;

/**
 * @param text without carriage returns
 * @param known a similar text
 * @returns `undefined` for a text with more lines than `maxLines`
 */
export function* numberedLike(
  text: string,
  known: NumberedText,
  numberOf: (line: string) => number,
  maxLines: number,
): Work<NumberedText | undefined> {
  const parts: Part[] = [];
  let own: OwnLines = { numbers: [], starts: [] };
  let count = 0;
  /** The line of the known text that may be the next one, if there is one, and the first line after the last long equal stretch. */
  let next: number | undefined = 0;
  let free = 0;
  let turns = 0;
  for (let at = 0; at <= text.length;) {
    // Each turn takes a line, or an equal stretch.
    if (++turns % CHUNK === 0) yield CHUNK * ALIGNED;
    const end: number = next === undefined ? 0 : equalUntil(known, next, text, at);
    if (next !== undefined && end > next) {
      if (own.numbers.length > 0) parts.push(own);
      own = { numbers: [], starts: [] };
      const shift: number = at - known.starts[next]!;
      parts.push({ from: next, to: end, shift });
      count += end - next;
      at = known.starts[end]! + shift;
      // Brackets and blank lines may be different ones: the lines that follow them here may be further down there.
      if (end - next > FEW_LINES) free = end;
      next = undefined;
    } else {
      const newline = text.indexOf('\n', at);
      const lineEnd = newline < 0 ? text.length : newline;
      const number = numberOf(text.slice(at, lineEnd));
      own.numbers.push(number);
      own.starts.push(at);
      count++;
      at = lineEnd + 1;
      const place = placeNear(known.numbers, number, free);
      next = place < 0 ? undefined : place + 1;
    }
    if (count > maxLines) return undefined;
  }
  if (own.numbers.length > 0) parts.push(own);
  yield (turns % CHUNK) * ALIGNED + count;
  return joinedParts(text, parts, count, known);
}

/** Lines that both texts have. */
interface EqualLines {
  /** Lines of the known text. */
  readonly from: number;
  readonly to: number;
  /** The distance by which they stand further back, in UTF-16 units. */
  readonly shift: number;
}

interface OwnLines {
  readonly numbers: number[];
  readonly starts: number[];
}

type Part = EqualLines | OwnLines;

function joinedParts(text: string, parts: readonly Part[], count: number, known: NumberedText): NumberedText {
  const starts = new Int32Array(count + 1);
  const numbers: (readonly number[])[] = [];
  let at = 0;
  for (const part of parts) {
    if ('numbers' in part) {
      numbers.push(part.numbers);
      starts.set(part.starts, at);
      at += part.numbers.length;
      continue;
    }
    const { from, to, shift } = part;
    numbers.push(known.numbers.slice(from, to));
    for (let line = from; line < to; line++) starts[at++] = known.starts[line]! + shift;
  }
  starts[count] = text.length + 1;
  return { text, numbers: joinLists(numbers), starts };
}

function placeNear(numbers: readonly number[], wanted: number, from: number): number {
  const end = Math.min(numbers.length, from + WINDOW);
  for (let at = from; at < end; at++) if (numbers[at] === wanted) return at;
  return -1;
}

const LINE_FEED = 10;

/** Returns the end of the lines, from `line` on, that the other text has from `at` on, too. */
function equalUntil({ text, starts }: NumberedText, line: number, other: string, at: number): number {
  const begin = starts[line]!;
  const equal = equalUnits(text, begin, other, at);
  // The last line that begins in the equal part.
  let [low, high] = [line, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle + 1]! - begin > equal) high = middle;
    else low = middle + 1;
  }
  const isEnd = low < starts.length - 1 && starts[low + 1]! - 1 - begin === equal;
  return isEnd && (at + equal === other.length || other.charCodeAt(at + equal) === LINE_FEED) ? low + 1 : low;
}

/** UTF-16 units that are compared first; then twice as many each time. */
const FIRST_UNITS = 256;
/** UTF-16 units that are compared one by one. */
const FEW_UNITS = 16;

/** Returns how many UTF-16 units two texts have in common from two places on. Comparing slices takes a tenth of the time of a loop. */
function equalUnits(a: string, fromA: number, b: string, fromB: number): number {
  const most = Math.min(a.length - fromA, b.length - fromB);
  let equal = 0;
  const isSame = (units: number): boolean =>
    a.slice(fromA + equal, fromA + equal + units) === b.slice(fromB + equal, fromB + equal + units);
  let step = FIRST_UNITS;
  for (; equal < most && isSame(Math.min(step, most - equal)); step *= 2) equal += Math.min(step, most - equal);
  for (step /= 2; equal < most && step >= FEW_UNITS; step /= 2)
    if (isSame(Math.min(step, most - equal))) equal += Math.min(step, most - equal);
  while (equal < most && a.charCodeAt(fromA + equal) === b.charCodeAt(fromB + equal)) equal++;
  return equal;
}
