/**
 * Lines as numbers: equal lines have equal numbers, so that texts are compared and kept cheaply. Loops over many lines count
 * places: until such a loop is compiled, an iterator takes several times as long.
 */
import { elementAt } from '../values/lookups';
import { numberedLike, numberedText, type NumberedText } from './numberedText';
import { finishWork, type Work } from './work';

/** Returns a text without the byte order mark at its beginning. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Splits a text into lines as the editor does, without line breaks and the mark at its beginning. */
export function linesOf(text: string): string[] {
  const given = withoutMark(text);
  // A pattern takes four times as long.
  return given.includes('\r') ? given.split(/\r\n|\n|\r/) : given.split('\n');
}

/** UTF-16 units of a text that are processed in the time of an amount of 1. */
const UNITS = 8;
/** Texts of at least this many UTF-16 units are compared with the previous long text. */
const LONG_TEXT = 4000;

/** Four letters or digits: a line with them is distinctive. */
const DISTINCTIVE = /[\p{L}\p{N}_](?:[^\p{L}\p{N}_]*[\p{L}\p{N}_]){3}/u;

/** Lines that are compared one by one. */
const FEW_LINES = 8;
/** How many lines there are for each of some lines that are few among them. */
const SPARSE = 100;

/** Stands for a value that hasn't been computed yet. */
const UNSEEN = -1;

export class LineTexts {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  /** For each line, `UNSEEN` until it's asked for. Arrays with gaps are slow. */
  private readonly shapes: number[] = [];
  private readonly distinctive: number[] = [];
  private readonly indentations: number[] = [];
  /** The last long text. The next one mostly differs in a few places. */
  private last: NumberedText | undefined;

  numberOf(text: string): number {
    let number = this.numbers.get(text);
    if (number !== undefined) return number;
    this.numbers.set(text, (number = this.texts.push(text) - 1));
    this.shapes.push(UNSEEN);
    this.distinctive.push(UNSEEN);
    this.indentations.push(UNSEEN);
    return number;
  }

  numbersOf(lines: readonly string[]): number[] {
    return lines.map((line) => this.numberOf(line));
  }

  /** Returns the numbers of a text's lines; `undefined` if it has more than `maxLines`. */
  numbersIn(text: string): readonly number[];
  numbersIn(text: string, maxLines: number): readonly number[] | undefined;
  numbersIn(text: string, maxLines = Infinity): readonly number[] | undefined {
    return finishWork(this.numbering(text, maxLines));
  }

  /** Does what `numbersIn` does. */
  numbering(text: string): Work<readonly number[]>;
  numbering(text: string, maxLines: number): Work<readonly number[] | undefined>;
  *numbering(text: string, maxLines = Infinity): Work<readonly number[] | undefined> {
    const plain = withoutMark(text).replaceAll('\r\n', '\n');
    const isLong = plain.length >= LONG_TEXT && !plain.includes('\r');
    const numberOf = (line: string): number => this.numberOf(line);
    // Splitting and comparing a text takes a few nanoseconds for a unit.
    yield plain.length / UNITS;
    if (isLong && this.last) {
      const numbered = yield* numberedLike(plain, this.last, numberOf, maxLines);
      if (numbered) this.last = numbered;
      return numbered?.numbers;
    }
    const lines = linesOf(plain);
    if (lines.length > maxLines) return undefined;
    if (!isLong) return this.numbersOf(lines);
    this.last = yield* numberedText(plain, lines, numberOf);
    return this.last.numbers;
  }

  /** Returns whether a line is one of the given ones. */
  isOneOf(lines: readonly number[]): (line: number) => boolean {
    if (lines.length < FEW_LINES) return (line) => lines.includes(line);
    // An array takes a tenth of the time of a `Set`, but for few lines among many.
    if (lines.length * SPARSE < this.texts.length) {
      const set = new Set(lines);
      return (line) => set.has(line);
    }
    const given = new Uint8Array(this.texts.length);
    for (let at = 0; at < lines.length; at++) if (lines[at]! >= 0) given[lines[at]!] = 1;
    return (line) => given[line] === 1;
  }

  /** Returns how often each line is among the given ones, by its number. */
  countsOf(lines: readonly number[]): Uint32Array {
    const counts = new Uint32Array(this.texts.length);
    for (let at = 0; at < lines.length; at++) if (lines[at]! >= 0) counts[lines[at]!]!++;
    return counts;
  }

  text(number: number): string {
    return elementAt(this.texts, number);
  }

  /** The number of the line without its white space, which is the same for all indentations. */
  shapeOf(number: number): number {
    const known = this.shapes[number]!;
    return known === UNSEEN ? (this.shapes[number] = this.numberOf(this.text(number).replace(/\s+/g, ''))) : known;
  }

  /** False for blank lines, brackets and the like, which stand anywhere. */
  isDistinctive(number: number): boolean {
    const known = this.distinctive[number]!;
    if (known !== UNSEEN) return known === 1;
    const isDistinctive = DISTINCTIVE.test(this.text(number));
    this.distinctive[number] = isDistinctive ? 1 : 0;
    return isDistinctive;
  }

  /** The number of white-space characters at the beginning. */
  indentationOf(number: number): number {
    const known = this.indentations[number]!;
    return known === UNSEEN ? (this.indentations[number] = this.text(number).search(/\S|$/)) : known;
  }
}
