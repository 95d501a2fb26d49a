/**
 * Builds a segment of the full-text index outside of SQLite: the same pages that FTS5 writes for these texts. It takes
 * less time than FTS5, and each thread can build its own.
 */
import { intsOf } from './byteViews';
import { ScannerProgram } from './scannerInstance';
import { CHARACTER_KIND_UNIT, CharacterKind } from './scannerLayout';
import { SegmentPart } from './segmentLayout';

/** Consecutive pages of a segment. Plain data. */
export interface SegmentPages {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The end of each page in the bytes. */
  readonly ends: Int32Array;
}

/** The end of a segment. Plain data. */
export interface SegmentStarts {
  /** For each page except the first one on which a word begins: its number, and a length in `words`. */
  readonly pages: Int32Array;
  /** The beginnings of the first words on these pages, which tell them from the words before. */
  readonly words: Uint8Array<ArrayBuffer>;
}

/** Bytes of pages that are handed over at once. */
const HANDED_BYTES = 512 * 1024;

export class SegmentBuilder {
  // A program of its own: its memory is given back with it.
  private readonly program = new ScannerProgram(() => CharacterKind.complex * CHARACTER_KIND_UNIT);

  /** @throws where there is no WebAssembly, or not enough memory. */
  constructor() {
    this.begin();
  }

  /** The bytes of memory that the words take. */
  get size(): number {
    return this.program.exports.segmentSize();
  }

  /**
   * Adds the words of a text, and marked once more those that it repeats.
   *
   * @param document larger than all before it; a 32-bit integer
   * @param text as `LineWords` has it, without its repeated words
   * @returns the number of words with the marked ones
   * @throws {RangeError} for a larger number
   */
  add(document: number, text: Uint8Array): number {
    if (document !== (document | 0)) throw new RangeError('The document’s number has more than 32 bits.');
    const at = this.program.exports.reserveText(text.length);
    this.program.bytes(at, at + text.length).set(text);
    return this.program.exports.addDocumentText(document, text.length);
  }

  /**
   * Writes all pages, and begins another segment.
   *
   * @param pageSize the setting `pgsz` of the index
   * @param take takes the next pages
   */
  finish(pageSize: number, take: (pages: SegmentPages) => void): SegmentStarts {
    const { exports } = this.program;
    exports.sortSegment(pageSize);
    for (let more = true; more;) {
      more = exports.writePages(HANDED_BYTES) !== 0;
      take({ bytes: this.part(SegmentPart.pages), ends: intsOf(this.part(SegmentPart.pageEnds)) });
    }
    const starts = { pages: intsOf(this.part(SegmentPart.pageStarts)), words: this.part(SegmentPart.pageWords) };
    exports.endSegment();
    this.begin();
    return starts;
  }

  private begin(): void {
    this.program.exports.beginSegment(Math.random());
  }

  private part(which: SegmentPart): Uint8Array<ArrayBuffer> {
    return this.program.growableBytes(this.program.exports.segmentPart(which)).slice();
  }
}
