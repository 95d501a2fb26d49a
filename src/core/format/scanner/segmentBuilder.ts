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

interface TextsOfLines {
  /** Numbers for each text: its line, and its start and end in the bytes. */
  readonly positions: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Numbers for each text. */
const FIELDS = 3;

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
   * Adds the words of texts, and marked once more those that a text repeats.
   *
   * @param texts as `LineWords`, without repeated words
   * @param documentOf the document of a line, a 32-bit integer: documents fall with the lines, and are larger than all that
   *   were added before
   * @returns for each text, the last one first, its document and the number of words with the marked ones
   * @throws {RangeError} for a larger number
   */
  addTexts({ positions, bytes }: TextsOfLines, documentOf: (line: number) => number): Int32Array<ArrayBuffer> {
    const { growing } = this.program;
    const at = growing.reserveTexts(positions.byteLength + bytes.length);
    const texts = this.program.ints(at, positions.length);
    texts.set(positions);
    for (let from = 0; from < texts.length; from += FIELDS) texts[from] = checked(documentOf(positions[from]!));
    this.program.bytes(at + texts.byteLength, at + texts.byteLength + bytes.length).set(bytes);
    growing.addTexts(texts.length / FIELDS);
    // Its memory may have grown.
    const added = this.program.ints(at, positions.length);
    const sizes = new Int32Array((added.length / FIELDS) * 2);
    for (let from = added.length - FIELDS, to = 0; from >= 0; from -= FIELDS) {
      sizes[to++] = added[from]!;
      sizes[to++] = added[from + 1]!;
    }
    return sizes;
  }

  /**
   * Writes all pages, and begins another segment.
   *
   * @param pageSize the setting `pgsz` of the index
   * @param take takes the next pages
   */
  finish(pageSize: number, take: (pages: SegmentPages) => void): SegmentStarts {
    const { growing } = this.program;
    growing.sortSegment(pageSize);
    for (let more = true; more;) {
      more = growing.writePages(HANDED_BYTES) !== 0;
      take({ bytes: this.part(SegmentPart.pages), ends: intsOf(this.part(SegmentPart.pageEnds)) });
    }
    const starts = { pages: intsOf(this.part(SegmentPart.pageStarts)), words: this.part(SegmentPart.pageWords) };
    growing.endSegment();
    this.begin();
    return starts;
  }

  private begin(): void {
    this.program.growing.beginSegment(Math.random());
  }

  private part(which: SegmentPart): Uint8Array<ArrayBuffer> {
    return this.program.growableBytes(this.program.exports.segmentPart(which)).slice();
  }
}

function checked(document: number): number {
  if (document !== (document | 0)) throw new RangeError('The document’s number has more than 32 bits.');
  return document;
}
