/**
 * A session's searchable texts as bytes, by line. The bytes pass from thread to thread and into the index unchanged;
 * strings would be created anew at each step.
 */
import { spacedWords } from '../search/words';

export interface LineWords {
  /** Line, start and end in `bytes` for each text, in file order. Line 0 is the title. */
  readonly positions: Uint32Array;
  readonly bytes: Uint8Array;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Collects the texts of one session in a reused buffer. */
export class LineWordsWriter {
  private size = 0;

  constructor(private buffer: Buffer) {}

  add(text: string): ByteRange {
    const from = this.size;
    // The index splits and folds plain ASCII as `spacedWords` does; all other text is split and folded here.
    if (this.write(text) !== text.length) {
      this.size = from;
      this.write(spacedWords(text));
    }
    // A separator, so that two texts of one line can be indexed as one.
    this.buffer[this.size++] = 10;
    return { from, to: this.size };
  }

  /** Appends texts that were collected elsewhere, each followed by the separator. @returns the offset where they begin */
  append(bytes: Uint8Array): number {
    const from = this.size;
    this.reserve(bytes.length);
    this.buffer.set(bytes, from);
    this.size += bytes.length;
    return from;
  }

  /** @returns the number of bytes written, which equals the number of characters if all are ASCII */
  private write(text: string): number {
    this.reserve(text.length * 3 + 1);
    const written = this.buffer.write(text, this.size);
    this.size += written;
    return written;
  }

  private reserve(bytes: number): void {
    const needed = this.size + bytes;
    if (needed > this.buffer.length)
      this.buffer = Buffer.concat([this.buffer.subarray(0, this.size)], Math.max(needed, this.buffer.length * 2));
  }

  /** Copies what was added. */
  finish(positions: ArrayLike<number>): LineWords {
    return { positions: new Uint32Array(positions), bytes: new Uint8Array(this.buffer.subarray(0, this.size)) };
  }
}

/** The number of texts. */
export const textCount = ({ positions: positions }: LineWords): number => positions.length / 3;

export function lineOfText({ positions: positions }: LineWords, index: number): number {
  return positions[index * 3]!;
}

export function bytesOfText({ positions: positions, bytes }: LineWords, index: number): Uint8Array {
  return bytes.subarray(positions[index * 3 + 1], positions[index * 3 + 2]);
}
