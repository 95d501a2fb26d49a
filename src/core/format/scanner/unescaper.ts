/** Takes lines out of the JSON strings that hold them, in WebAssembly: without a string for each, which takes three times as long. */
import { ScannerProgram } from './scannerInstance';
import { CHARACTER_KIND_UNIT, CharacterKind } from './scannerLayout';

const LINE_FEED = 10;
/** The room that the program needs after a text. */
const SLACK = 16;

export class Unescaper {
  private readonly program = new ScannerProgram(() => CharacterKind.complex * CHARACTER_KIND_UNIT);
  private readonly input: number;
  private readonly output: number;
  /** Address after the lines. */
  private end: number;

  /**
   * @param capacity the most bytes that `load` takes
   * @throws where there is no WebAssembly, or not enough memory.
   */
  constructor(readonly capacity: number) {
    const { growing } = this.program;
    this.input = growing.allocate(capacity);
    this.end = this.output = growing.allocate(capacity + SLACK);
  }

  /**
   * Copies the parts of a text that ends in a line feed into the program's memory, replacing the parts loaded before. Drops
   * lines that weren't taken.
   *
   * @returns all of them, valid until the next ones are loaded
   */
  load(parts: readonly Uint8Array[]): Uint8Array {
    let end = this.input;
    for (const part of parts) {
      this.program.bytes(end, end + part.length).set(part);
      end += part.length;
    }
    this.end = this.output;
    return this.program.bytes(this.input, end);
  }

  /**
   * Reads the text of a string, with a space instead of each line feed. `addLine` adds it to the lines.
   *
   * @param at the index after its opening quote
   * @returns the index of its closing quote; `undefined` if it has to be parsed
   */
  read(at: number): number | undefined {
    const quote = this.program.exports.unescape(this.input + at, this.end);
    return quote === 0 ? undefined : quote - this.input;
  }

  /** Adds the text that was read last as a line. Lines of different strings have room if the strings were loaded together. */
  addLine(): void {
    const end = this.program.exports.unescapedEnd();
    this.program.bytes(end, end + 1)[0] = LINE_FEED;
    this.end = end + 1;
  }

  /** Removes and returns all lines, each with its line feed. */
  take(): Uint8Array<ArrayBuffer> {
    const lines = this.program.bytes(this.output, this.end).slice();
    this.end = this.output;
    return lines;
  }
}
