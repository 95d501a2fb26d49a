/**
 * A session's searchable texts as bytes, by line. The bytes pass from thread to thread and into the index unchanged;
 * strings would be created again at each step.
 */
import type { Scanner } from '../../../format/scanner/scanner';
import { READ_WORD } from './lineText';
import { spacedWords } from './words';
import { addedSize, writeAdded, type AddedWords, type RepeatedWords } from './repeatedWords';

const READ_MARK = Buffer.from(`${READ_WORD}\n`);

/** The lines of a session that have text, and whose words may be left for later. */
export interface TextLines {
  /** Three numbers for each text in file order: its line (0 for the title), and its start and end in the bytes of `LineWords`. */
  readonly positions: Uint32Array;
}

/** The words of each text with those that the index gets besides. */
export interface LineWords extends TextLines {
  readonly bytes: Uint8Array;
}

export const haveWords = (lines: TextLines | LineWords): lines is LineWords => 'bytes' in lines;

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Collects the texts of one session in a reused buffer. */
export class LineWordsWriter {
  private size = 0;

  constructor(
    private buffer: Buffer,
    private readonly repeated: RepeatedWords,
    private readonly scanner?: Pick<Scanner, 'foldText'> | undefined,
  ) {}

  /** @param isRead true for a text that the model read, see `isRead` */
  add(text: string, isRead = false): ByteRange {
    const from = this.size;
    // The index splits and folds plain ASCII as `spacedWords` does; all other text is split and folded here.
    if (this.write(text) !== text.length) {
      this.size = from;
      const folded = this.scanner?.foldText(text);
      if (folded) this.append(folded);
      else this.write(spacedWords(text));
    }
    // A separator, so that two texts of one line can be indexed as one.
    this.buffer[this.size++] = 10;
    if (isRead) this.append(READ_MARK);
    return { from, to: this.size };
  }

  /** Appends texts that were collected elsewhere, and leaves room for a separator. @returns the offset where they begin */
  append(bytes: Uint8Array): number {
    const from = this.size;
    this.reserve(bytes.length + 1);
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

  /** Copies the texts at these positions (line, start and end of each), each followed by the words that the index gets besides. */
  finish(texts: ArrayLike<number>): LineWords {
    const positions = new Uint32Array(texts);
    const found: AddedWords[] = [];
    let size = 0;
    for (let at = 0; at < positions.length; at += 3) {
      const added = this.repeated.find(this.buffer, positions[at + 1]!, positions[at + 2]!);
      size += positions[at + 2]! - positions[at + 1]! + addedSize(added);
      found.push(added);
    }
    const bytes = new Uint8Array(size);
    let to = 0;
    for (const [index, added] of found.entries()) {
      const at = index * 3;
      const text = this.buffer.subarray(positions[at + 1], positions[at + 2]);
      bytes.set(text, to);
      positions[at + 1] = to;
      to = positions[at + 2] = writeAdded(this.buffer, added, bytes, to + text.length);
    }
    return { positions, bytes };
  }
}

/** The number of texts. */
export const textCount = ({ positions }: TextLines): number => positions.length / 3;

export function lineOfText({ positions }: TextLines, index: number): number {
  return positions[index * 3]!;
}

export function bytesOfText({ positions, bytes }: LineWords, index: number): Uint8Array {
  return bytes.subarray(positions[index * 3 + 1], positions[index * 3 + 2]);
}
