/**
 * A session's searchable texts as bytes, by line: they go from thread to thread and into the index as they are,
 * where strings would be made anew at each step.
 */
import { spacedWords } from '../search/words';

export interface LineWords {
  /** Line, beginning and end in `bytes`, one line after the other; line 0 is the title. */
  readonly positions: Uint32Array;
  readonly bytes: Uint8Array;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Collects the texts of one session. */
export class LineWordsWriter {
  private size = 0;

  constructor(private buffer: Buffer) {}

  add(text: string): ByteRange {
    const from = this.size;
    // The index splits and folds plain ASCII as we do; everything else is split and folded for it.
    if (this.write(text) !== text.length) {
      this.size = from;
      this.write(spacedWords(text));
    }
    // Between texts, so that two of one line can be taken as one.
    this.buffer[this.size++] = 10;
    return { from, to: this.size };
  }

  /** Texts that were collected elsewhere, each with what stands between texts behind it. @returns where they begin */
  append(bytes: Uint8Array): number {
    const from = this.size;
    this.reserve(bytes.length);
    this.buffer.set(bytes, from);
    this.size += bytes.length;
    return from;
  }

  /** @returns how many bytes it has; as many as characters if it is ASCII */
  private write(text: string): number {
    this.reserve(text.length * 3 + 1);
    const written = this.buffer.write(text, this.size);
    this.size += written;
    return written;
  }

  private reserve(bytes: number): void {
    const most = this.size + bytes;
    if (most > this.buffer.length) this.buffer = Buffer.concat([this.buffer.subarray(0, this.size)], Math.max(most, this.buffer.length * 2));
  }

  /** A copy of what was added. */
  finish(places: ArrayLike<number>): LineWords {
    return { positions: new Uint32Array(places), bytes: new Uint8Array(this.buffer.subarray(0, this.size)) };
  }
}

/** How many texts there are. */
export const textCount = ({ positions: places }: LineWords): number => places.length / 3;

export function lineOfText({ positions: places }: LineWords, index: number): number {
  return places[index * 3]!;
}

export function bytesOfText({ positions: places, bytes }: LineWords, index: number): Uint8Array {
  return bytes.subarray(places[index * 3 + 1], places[index * 3 + 2]);
}
