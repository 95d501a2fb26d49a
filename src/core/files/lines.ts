/**
 * Bytes as they come → lines. Bytes split at `\n` alone.
 */
import type { JsonObject } from '../format/entry';
import { LongLine, type LongLineRead } from '../format/longLine';
import type { LinePlace } from '../format/reader';
import type { MessageLines } from './messageLine';

/** From this length on a line is not held in memory, if its reader can do without. */
export const LONG = 4 * 1024 * 1024;
/** The longest text that V8 can hold is a little over this many characters. */
const LONGEST_LINE = 0x1fffffe8;

export interface LineSink {
  /** `bytes` are the text's, during the call alone. */
  add(text: string, place: LinePlace, bytes: Uint8Array): void;
  /** A line of `LONG` bytes or more. A sink without this method gets its whole text. */
  long?(line: LongLineRead, place: LinePlace): void;
  /** A message as `MessageLines` reads it. A sink without this method gets its whole text. */
  message?(value: JsonObject, place: LinePlace): void;
  /** A line that is too long to be a text. */
  skip(place: LinePlace): void;
}

export class Lines {
  private offset: number;
  private line: number;
  /** The beginning of a line whose end has not come yet, and how much of it is there. */
  private held = Buffer.alloc(0);
  private size = 0;
  /** The same of a long line, which is not held. */
  private long: LongLine | undefined;

  constructor(
    start: { readonly offset: number; readonly line: number },
    private readonly sink: LineSink,
  ) {
    this.offset = start.offset;
    this.line = start.line;
  }

  /** Takes `bytes[from..to)`, which come next. `messages`: over the same bytes. */
  take(bytes: Buffer, from: number, to: number, messages?: MessageLines): void {
    const read = bytes.subarray(0, to);
    let begin = from;
    let newline = read.indexOf(10, begin);
    if (this.size > 0 && newline >= 0) {
      this.hold(read.subarray(begin, newline));
      this.emitHeld(true);
      begin = newline + 1;
      newline = read.indexOf(10, begin);
    }
    // How the last line ends will be asked for, so that one is read as it is.
    const last = read.lastIndexOf(10);
    for (; newline >= 0; newline = read.indexOf(10, begin)) {
      const message = newline < last && this.line > 0 && this.sink.message ? messages?.read(begin, newline) : undefined;
      if (message) this.sink.message!(message, this.place(newline - begin, true));
      else this.emit(bytes, begin, newline, true);
      begin = newline + 1;
    }
    if (begin < to) this.hold(read.subarray(begin));
  }

  /** Nothing comes any more. */
  end(): void {
    if (this.size > 0) this.emitHeld(false);
  }

  private hold(bytes: Buffer): void {
    const size = this.size + bytes.length;
    if (!this.long && size >= LONG && this.sink.long) {
      this.long = new LongLine();
      this.long.push(this.held.subarray(0, this.size));
      this.held = Buffer.alloc(0);
    }
    if (this.long) this.long.push(bytes);
    else {
      if (size > this.held.length) {
        const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.held.length));
        this.held.copy(larger, 0, 0, this.size);
        this.held = larger;
      }
      bytes.copy(this.held, this.size);
    }
    this.size = size;
  }

  private emitHeld(ended: boolean): void {
    const { long, size } = this;
    this.size = 0;
    this.long = undefined;
    if (!long) this.emit(this.held, 0, size, ended);
    else if (size > LONGEST_LINE) this.sink.skip(this.place(size, ended));
    else this.sink.long!(long.end(), this.place(size, ended));
  }

  private emit(bytes: Buffer, from: number, to: number, ended: boolean): void {
    const place = this.place(to - from, ended);
    if (to - from > LONGEST_LINE) this.sink.skip(place);
    else this.sink.add(bytes.toString('utf8', from, to), place, bytes.subarray(from, to));
  }

  /** Of the next line. */
  private place(length: number, ended: boolean): LinePlace {
    const place = { line: ++this.line, offset: this.offset, length, ended };
    this.offset += length + (ended ? 1 : 0);
    return place;
  }
}
