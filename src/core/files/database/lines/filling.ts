/** Fills a buffer with the lines of a session in a database. */
import { DatabaseMoved } from '../sqlite/databaseErrors';
import type { EventDamage, EventLine } from './eventLine';
import type { FoundLine, KnownLines } from './knownLines';

/** The line of an event that was read. */
type ReadLine = FoundLine & EventLine;

/** The result of filling a buffer with lines. */
export interface FilledLines {
  /** The number of bytes that were filled. */
  readonly count: number;
  /** The lines that can't be shown as they were, by their numbers from 1. */
  readonly damaged: ReadonlyMap<number, EventDamage>;
}

/** A line by its number. */
export interface NumberedLine {
  readonly number: number;
  readonly line: ReadLine;
}

export class Filling implements FilledLines {
  count = 0;
  readonly damaged = new Map<number, EventDamage>();
  /** The number of the first line. Lines have numbers from 0. */
  readonly first: number;
  /** The last `seq` before it. */
  readonly after: number;
  /** The lines whose places weren't known. */
  readonly found: FoundLine[] = [];
  /** The last line, if the buffer ends in it. */
  cut: NumberedLine | undefined;
  /** The offset at which the next line begins. */
  begin: number;
  private number: number;

  /** @param position the offset of the first byte, in a known line or in the next one */
  constructor(
    private readonly lines: KnownLines,
    private readonly bytes: Buffer,
    private readonly position: number,
  ) {
    this.number = this.first = lines.lineAt(position);
    ({ begin: this.begin, after: this.after } = lines.placeOf(this.first));
  }

  /** Adds the next line. Returns false if there's no room for another one. @throws {DatabaseMoved} if the line isn't the known one */
  take(line: ReadLine): boolean {
    const { bytes, number } = this;
    const length = this.lines.lengthOf(number);
    if (length === undefined) this.found.push({ seq: line.seq, length: line.length, stored: line.stored });
    else if (length !== line.length) throw new DatabaseMoved();
    if (line.damage) this.damaged.set(number + 1, line.damage);
    this.count += line.bytes.copy(bytes, this.count, this.position + this.count - this.begin);
    this.begin += line.length + 1;
    this.number++;
    const hasRoom = this.count < bytes.length;
    if (hasRoom) bytes[this.count++] = NEWLINE;
    else this.cut = { number, line };
    return this.count < bytes.length;
  }
}

const NEWLINE = 10;
