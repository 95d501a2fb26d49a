/** Splits a stream of bytes into lines, at `\n` only. */
import { LongLineParser, type LongLineResult } from '../../../format/parse/longLineParser';
import type { LineLocation } from '../../../format/parse/lineLocation';
import { LONG_LINE_BYTES } from '../../../format/parse/readLine';
import { FINGERPRINT_BYTES } from '../../../format/session/read/sessionReader';
import type { Scanner } from '../../../format/scanner/scanner';
import type { LoadedBytes } from '../../../format/scanner/loadedBytes';
import type { ScannedLines } from '../../../format/scanner/scannerRows';
import type { Steps } from '../../../format/session/steps';

/** V8's longest string is slightly longer than this many characters. */
const MAX_LINE_BYTES = 0x1fffffe8;

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

export interface LineSink {
  /** Receives a line, and may return steps to be done before the next. `bytes` are the bytes of the text, valid until then only. */
  add(text: string, place: LineLocation, bytes: Uint8Array): Steps<void> | void;
  /**
   * Receives a line of `LONG_LINE_BYTES` or more. A sink without this method receives the whole text.
   */
  addLong?(line: LongLineResult, place: LineLocation): Steps<void> | void;
  /**
   * Scans lines as `SessionReader.scan`. Lines that it doesn't take are added, as is every line to a sink without
   * this method.
   */
  scan?(input: LoadedBytes, from: number, to: number, first: Pick<LineLocation, 'line' | 'offset'>): ScannedLines | undefined;
  /** Reports a line that is too long for a string. */
  skip(place: LineLocation): void;
}

/** Splits in steps. */
export class LineSplitter {
  private offset: number;
  private line: number;
  /** The start of a line whose end hasn't been read yet, and its length so far. */
  private held = NOTHING;
  private size = 0;
  /** State of such a line if it's long and therefore not held. */
  private long: LongLineParser | undefined;
  /** The last bytes of the long line so far. */
  private tail: Buffer = NOTHING;

  constructor(
    start: { readonly offset: number; readonly line: number },
    private readonly sink: LineSink,
  ) {
    this.offset = start.offset;
    this.line = start.line;
  }

  /** Consumes `bytes[from..to)`, the next bytes of the file: no more than `scanner` can load. */
  *take(bytes: Buffer, from: number, to: number, scanner?: Scanner): Steps<void> {
    const read = bytes.subarray(from, to);
    const taken = yield* this.takeWhole(read, scanner);
    if (taken < read.length) yield* this.hold(read.subarray(taken));
  }

  /**
   * Consumes whole lines only.
   *
   * @returns the number of bytes consumed. The caller passes the rest again, followed by the next bytes.
   */
  takeWhole(bytes: Buffer, scanner?: Scanner): Steps<number> {
    return this.takeLines(bytes, bytes.lastIndexOf(NEWLINE) + 1, scanner);
  }

  /**
   * Consumes the lines that end before `to`.
   *
   * @returns the number of bytes consumed.
   */
  private *takeLines(read: Buffer, to: number, scanner: Scanner | undefined): Steps<number> {
    if (to === 0) return 0;
    let begin = 0;
    if (this.size > 0) {
      const newline = read.indexOf(NEWLINE);
      yield* this.hold(read.subarray(0, newline));
      yield* this.emitHeld(true);
      begin = newline + 1;
    }
    const input = this.sink.scan && begin < to ? scanner?.load(read) : undefined;
    while (begin < to) {
      const scanned = input && this.line > 0 ? this.sink.scan?.(input, begin, to, { line: this.line + 1, offset: this.offset }) : undefined;
      if (scanned) {
        this.line += scanned.count;
        this.offset += scanned.end - begin;
        begin = scanned.end;
        if (begin >= to) break;
      }
      const newline = read.indexOf(NEWLINE, begin);
      yield* this.emit(read, begin, newline, true);
      begin = newline + 1;
    }
    return begin;
  }

  /** Ends the input: emits a last line without a line break. */
  *end(): Steps<void> {
    if (this.size > 0) yield* this.emitHeld(false);
  }

  private *hold(bytes: Buffer): Steps<void> {
    const size = this.size + bytes.length;
    if (!this.long && size >= LONG_LINE_BYTES && this.sink.addLong) {
      this.long = new LongLineParser();
      yield* this.long.push(this.held.subarray(0, this.size));
      this.tail = this.held.subarray(Math.max(0, this.size - FINGERPRINT_BYTES), this.size);
      this.held = NOTHING;
    }
    if (this.long) {
      yield* this.long.push(bytes);
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

  private *emitHeld(ended: boolean): Steps<void> {
    const { long, size, tail } = this;
    this.size = 0;
    this.long = undefined;
    this.tail = NOTHING;
    if (!long) yield* this.emit(this.held, 0, size, ended);
    else if (size > MAX_LINE_BYTES || !this.sink.addLong) this.sink.skip(this.place(size, ended));
    else {
      const steps = this.sink.addLong({ ...long.end(), ending: tail }, this.place(size, ended));
      if (steps) yield* steps;
    }
  }

  private *emit(bytes: Buffer, from: number, to: number, ended: boolean): Steps<void> {
    const place = this.place(to - from, ended);
    if (to - from > MAX_LINE_BYTES) {
      this.sink.skip(place);
      return;
    }
    const steps = this.sink.add(bytes.toString('utf8', from, to), place, bytes.subarray(from, to));
    if (steps) yield* steps;
  }

  /** Advances to the next line and returns its location. */
  private place(length: number, ended: boolean): LineLocation {
    const place = { line: ++this.line, offset: this.offset, length, hasLineBreak: ended };
    this.offset += length + (ended ? 1 : 0);
    return place;
  }
}
