/**
 * Bytes as they come → lines. Bytes split at `\n` alone.
 */
import { LongLineParser, type LongLineResult } from '../../format/parse/longLineParser';
import type { LineLocation } from '../../format/parse/lineLocation';
import { readLine } from '../../format/parse/readLine';
import { FINGERPRINT_BYTES } from '../../format/session/sessionReader';
import type { Scanner } from '../../format/columns/scanner';

/** From this length on a line is not held in memory, if its reader can do without. */
export const LONG_LINE_BYTES = 4 * 1024 * 1024;
/** On shorter lines nothing is worth leaving out. */
const TRIM_MIN_BYTES = 4 * 1024;
/** The longest text that V8 can hold is a little over this many characters. */
const MAX_LINE_BYTES = 0x1fffffe8;

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

export interface LineSink {
  /** `bytes` are the text's, during the call alone. */
  add(text: string, place: LineLocation, bytes: Uint8Array): void;
  /** A line of `LONG` bytes or more, or one with much that heads have no use for. A sink without this method gets its whole text. */
  addLong?(line: LongLineResult, place: LineLocation): void;
  /**
   * As `SessionReader.scan`: takes messages by their bytes from `at` on, a place in what the scanner has loaded. What it does
   * not take is added, as is everything to a sink without this method.
   */
  scan?(scanner: Scanner, at: number, end: number, first: Pick<LineLocation, 'line' | 'offset'>): number;
  /** A line that is too long to be a text. */
  skip(place: LineLocation): void;
}

export class LineSplitter {
  private offset: number;
  private line: number;
  /** The beginning of a line whose end has not come yet, and how much of it is there. */
  private held = NOTHING;
  private size = 0;
  /** The same of a long line, which is not held. */
  private long: LongLineParser | undefined;
  /** How that ends so far. */
  private tail: Buffer = NOTHING;

  constructor(
    start: { readonly offset: number; readonly line: number },
    private readonly sink: LineSink,
  ) {
    this.offset = start.offset;
    this.line = start.line;
  }

  /** Takes `bytes[from..to)`, which come next: no more than `scanner` can load. */
  take(bytes: Buffer, from: number, to: number, scanner?: Scanner): void {
    const read = bytes.subarray(from, to);
    const taken = this.takeLines(read, read.lastIndexOf(NEWLINE) + 1, scanner);
    if (taken < read.length) this.hold(read.subarray(taken));
  }

  /** Takes whole lines alone. @returns how many bytes it took; what is left is to come again, with more behind it if there is more */
  takeWhole(bytes: Buffer, scanner?: Scanner): number {
    return this.takeLines(bytes, bytes.lastIndexOf(NEWLINE) + 1, scanner);
  }

  /** Takes the lines that end before `to`, if any. @returns how many bytes it took */
  private takeLines(read: Buffer, to: number, scanner: Scanner | undefined): number {
    if (to === 0) return 0;
    let begin = 0;
    if (this.size > 0) {
      const newline = read.indexOf(NEWLINE);
      this.hold(read.subarray(0, newline));
      this.emitHeld(true);
      begin = newline + 1;
    }
    const isScanned = scanner && this.sink.scan && begin < to;
    if (isScanned) scanner.setInput(read);
    while (begin < to) {
      const taken = isScanned && this.line > 0 ? this.sink.scan!(scanner, begin, to, { line: this.line + 1, offset: this.offset }) : 0;
      if (taken > 0) {
        this.line += taken;
        this.offset += scanner!.scanEnd - begin;
        begin = scanner!.scanEnd;
        if (begin >= to) break;
      }
      const newline = read.indexOf(NEWLINE, begin);
      if (!isScanned || this.line === 0 || !this.emitTrimmed(scanner, read, begin, newline)) this.emit(read, begin, newline, true);
      begin = newline + 1;
    }
    return begin;
  }

  /** Nothing comes any more. */
  end(): void {
    if (this.size > 0) this.emitHeld(false);
  }

  private hold(bytes: Buffer): void {
    const size = this.size + bytes.length;
    if (!this.long && size >= LONG_LINE_BYTES && this.sink.addLong) {
      this.long = new LongLineParser();
      this.long.push(this.held.subarray(0, this.size));
      this.tail = this.held.subarray(Math.max(0, this.size - FINGERPRINT_BYTES), this.size);
      this.held = NOTHING;
    }
    if (this.long) {
      this.long.push(bytes);
      this.tail = Buffer.concat([this.tail, bytes.subarray(-FINGERPRINT_BYTES)]).subarray(-FINGERPRINT_BYTES);
    } else {
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
    const { long, size, tail } = this;
    this.size = 0;
    this.long = undefined;
    this.tail = NOTHING;
    if (!long) this.emit(this.held, 0, size, ended);
    else if (size > MAX_LINE_BYTES) this.sink.skip(this.place(size, ended));
    else this.sink.addLong!({ ...long.end(), ending: tail }, this.place(size, ended));
  }

  /** The line without what heads have no use for. @returns whether it has such */
  private emitTrimmed(scanner: Scanner, bytes: Buffer, from: number, to: number): boolean {
    const extra = this.sink.addLong && to - from >= TRIM_MIN_BYTES ? scanner.findExtraData(from) : undefined;
    const read = extra && readLine(`${bytes.toString('utf8', from, extra.from)}null${bytes.toString('utf8', extra.to, to)}`);
    // A header is kept with all that it says.
    if (read?.kind !== 'objects' || read.objects.length > 1 || read.rest || read.objects[0]!.value['type'] === 'session') return false;
    this.sink.addLong!({ objects: [{ value: read.objects[0]!.value, start: 0, end: to - from }], hasUnreadable: false, ending: scanner.copyInput(Math.max(from, to - FINGERPRINT_BYTES), to) }, this.place(to - from, true));
    return true;
  }

  private emit(bytes: Buffer, from: number, to: number, ended: boolean): void {
    const place = this.place(to - from, ended);
    if (to - from > MAX_LINE_BYTES) this.sink.skip(place);
    else this.sink.add(bytes.toString('utf8', from, to), place, bytes.subarray(from, to));
  }

  /** Of the next line. */
  private place(length: number, ended: boolean): LineLocation {
    const place = { line: ++this.line, offset: this.offset, length, hasLineBreak: ended };
    this.offset += length + (ended ? 1 : 0);
    return place;
  }
}
