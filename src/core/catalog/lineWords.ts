/**
 * A session's searchable texts as bytes, by line: they go from thread to thread and into the index as they are,
 * where strings would be made anew at each step.
 */
import { spacedWords } from './words';

export interface LineWords {
  /** Line, beginning and end in `bytes`, one line after the other; line 0 is the title. */
  readonly places: Uint32Array;
  readonly bytes: Uint8Array;
}

export interface WordPlace {
  readonly from: number;
  readonly to: number;
}

/** Collects the texts of one session. */
export class WordBytes {
  private size = 0;

  constructor(private room: Buffer) {}

  add(text: string): WordPlace {
    const from = this.size;
    // The index splits and folds plain ASCII as we do; everything else is split and folded for it.
    if (this.write(text) !== text.length) {
      this.size = from;
      this.write(spacedWords(text));
    }
    // Between texts, so that two of one line can be taken as one.
    this.room[this.size++] = 10;
    return { from, to: this.size };
  }

  /** Texts that were collected elsewhere, each with what stands between texts behind it. @returns where they begin */
  append(bytes: Uint8Array): number {
    const from = this.size;
    this.reserve(bytes.length);
    this.room.set(bytes, from);
    this.size += bytes.length;
    return from;
  }

  /** @returns how many bytes it has; as many as characters if it is ASCII */
  private write(text: string): number {
    this.reserve(text.length * 3 + 1);
    const written = this.room.write(text, this.size);
    this.size += written;
    return written;
  }

  private reserve(bytes: number): void {
    const most = this.size + bytes;
    if (most > this.room.length) this.room = Buffer.concat([this.room.subarray(0, this.size)], Math.max(most, this.room.length * 2));
  }

  /** A copy of what was added. */
  end(places: ArrayLike<number>): LineWords {
    return { places: new Uint32Array(places), bytes: new Uint8Array(this.room.subarray(0, this.size)) };
  }
}

/** How many texts there are. */
export const countOf = ({ places }: LineWords): number => places.length / 3;

export function lineAt({ places }: LineWords, index: number): number {
  return places[index * 3]!;
}

export function bytesAt({ places, bytes }: LineWords, index: number): Uint8Array {
  return bytes.subarray(places[index * 3 + 1], places[index * 3 + 2]);
}
