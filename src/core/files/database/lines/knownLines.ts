/** The places of the lines of a session in a database, as far as they are known. They are found as lines are read, or before. */
import { elementAt } from '../../../format/values/lookups';
import { CorruptDatabase } from '../sqlite/databaseErrors';

/** Bytes of a session. A small database can claim any size, as compressed events can be small. */
const MAX_SESSION = 8 * 1024 * 1024 * 1024;

/** The length of an event's line without its line break, and the bytes that the database has of it. */
export interface LineLength {
  readonly length: number;
  readonly stored: number;
}

/** A line that was found, with the number of its event. */
export interface FoundLine extends LineLength {
  readonly seq: number;
}

/** The first lines, or those from one on whose place was known before. Lines have numbers from 0. */
export class KnownLines {
  private readonly seqs: number[] = [];
  private readonly ends: number[] = [];
  private stored = 0;

  /** @param first the number of the first line @param start the offset at which it begins @param after the `seq` of a line is larger */
  constructor(
    readonly first = 0,
    readonly start = 0,
    private readonly after = Number.MIN_SAFE_INTEGER,
  ) {}

  /** The number of the first line that isn't known. */
  get next(): number {
    return this.first + this.seqs.length;
  }

  /** The offset at which that line begins. */
  get end(): number {
    return this.ends.at(-1) ?? this.start;
  }

  /** The number of the last known event; those of the lines that aren't known are larger. */
  get lastSeq(): number {
    return this.seqs.at(-1) ?? this.after;
  }

  /** Returns the offset behind the line break of the line with this `seq`; `undefined` if it isn't known. */
  endOf(seq: number): number | undefined {
    const at = countUpTo(this.seqs, seq) - 1;
    return this.seqs[at] === seq ? this.ends[at] : undefined;
  }

  /** Returns the first line that ends behind an offset; `next` if no known one does. */
  lineAt(offset: number): number {
    return this.first + countUpTo(this.ends, offset);
  }

  /** Returns the offset at which a line begins, and the last `seq` before it. The line is a known one, or the next. */
  placeOf(line: number): { readonly begin: number; readonly after: number } {
    const before = line - this.first - 1;
    return before < 0
      ? { begin: this.start, after: this.after }
      : { begin: elementAt(this.ends, before), after: elementAt(this.seqs, before) };
  }

  /** Returns the length of a line without its line break; `undefined` if it isn't known. */
  lengthOf(line: number): number | undefined {
    return line < this.next ? this.placeOf(line + 1).begin - this.placeOf(line).begin - 1 : undefined;
  }

  /**
   * Adds lines that follow the known ones, unless others were added since.
   *
   * @param from the number of the first one @param room the bytes of the database
   * @throws {CorruptDatabase} if they can't be in it
   */
  add(from: number, lines: readonly FoundLine[], room: number): void {
    if (from !== this.next) return;
    for (const { seq, length, stored } of lines) {
      const end = this.end + length + 1;
      this.stored += stored;
      if (this.stored > room || end > MAX_SESSION) throw new CorruptDatabase('a session is larger than the database');
      this.seqs.push(seq);
      this.ends.push(end);
    }
  }
}

/** Returns how many of some ascending numbers are at most this one. */
function countUpTo(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elementAt(numbers, middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
