/** The offsets at which the lines of a session in a database end. They are found as lines are read, or before. */
import { elementAt } from '../../format/entry/lookups';
import { CorruptDatabase } from './databaseErrors';

/** Bytes of a session. A small database can claim any size, as compressed events can be small. */
const MAX_SESSION = 8 * 1024 * 1024 * 1024;

/** The length of an event's line without its line break, and the bytes that the database has of it. */
export interface LineLength {
  readonly length: number;
  readonly stored: number;
}

/** The ends of the lines from one on. Lines have numbers from 0. */
export class LineEnds {
  private readonly known: number[] = [];
  private stored = 0;

  /** @param first the number of the first line @param start the offset at which it begins */
  constructor(
    readonly first = 0,
    readonly start = 0,
  ) {}

  /** The number of the first line whose end isn't known. */
  get next(): number {
    return this.first + this.known.length;
  }

  /** The offset at which that line begins. */
  get end(): number {
    return this.known.at(-1) ?? this.start;
  }

  /** Returns the offset behind a line's line break; `undefined` if it isn't known. */
  endOf(line: number): number | undefined {
    return line === this.first - 1 ? this.start : this.known[line - this.first];
  }

  /** Returns the first line that is known to end behind an offset; `next` if none is. */
  lineAt(offset: number): number {
    let [low, high] = [0, this.known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (elementAt(this.known, middle) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.first + low;
  }

  /** Returns lines that follow the known ones, to be added once it's certain that they're right. */
  extend(): MoreEnds {
    return new MoreEnds(this, this.stored);
  }

  /** Adds the ends, unless others were added since. */
  add(more: MoreEnds): void {
    if (more.first !== this.next) return;
    for (const end of more.ends) this.known.push(end);
    this.stored = more.stored;
  }
}

export class MoreEnds {
  readonly first: number;
  readonly ends: number[] = [];
  end: number;

  constructor(
    private readonly before: LineEnds,
    /** Bytes that the database has of all known lines. */
    public stored: number,
  ) {
    this.first = before.next;
    this.end = before.end;
  }

  get next(): number {
    return this.first + this.ends.length;
  }

  endOf(line: number): number | undefined {
    return line < this.first ? this.before.endOf(line) : this.ends[line - this.first];
  }

  /** Adds the next line. @param room the bytes of the database @throws {CorruptDatabase} if the lines can't be in it */
  push({ length, stored }: LineLength, room: number): void {
    this.end += length + 1;
    this.stored += stored;
    if (this.stored > room || this.end > MAX_SESSION) throw new CorruptDatabase('a session is larger than the database');
    this.ends.push(this.end);
  }

  commit(): void {
    this.before.add(this);
  }
}
