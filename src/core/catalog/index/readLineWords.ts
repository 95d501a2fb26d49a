/**
 * Reads the words of a session whose lines are known, but were read without their words: only the bytes of the lines that
 * have text. Synchronous, for worker threads.
 */
import { readAtSync, type ByteSourceSync } from '../../files/sync/readAtSync';
import { NONE } from '../../format/scanner/scannerLayout';
import type { LoadedBytes } from '../../format/scanner/loadedBytes';
import type { ScannedRows } from '../../format/scanner/scannerRows';
import { isRead, textOfLine } from './words/lineText';
import { lineAt } from './lineAt';
import { LineWordsWriter, type ByteRange, type LineWords } from './words/lineWords';
import type { ScanBuffers } from './scanSession';

/** The most bytes between two lines that are read in one call: a second read would take longer than reading these bytes as well. */
const MAX_GAP = 32 * 1024;
/** Bytes of several lines that are read in one call. */
const MAX_TOGETHER = 512 * 1024;

const NEWLINE = 10;

/** Numbers for each line: its number, offset and length, as in `LineTable.textLines`. */
const FIELDS = 3;

interface LinesToRead {
  /** The numbers from `LineTable.textLines`. */
  readonly lines: readonly number[];
  /** The session's title, which counts as line 0. */
  readonly title: string;
}

/** Returns the words that `scanSession` finds. @param check called between reads; may throw to end them */
export function readLineWords(
  file: ByteSourceSync,
  { lines, title }: LinesToRead,
  { read: { bytes, scanner }, words: room, repeated }: ScanBuffers,
  check: () => void,
): LineWords {
  const words = new LineWordsWriter(room, repeated, scanner);
  const texts = new Texts(words, scanner?.beginFile('words'));
  let at = 0;
  if (lines[0] === 0) {
    texts.add(0, words.add(title));
    at += FIELDS;
  }
  while (at < lines.length) {
    check();
    const { end, from, size } = readTogether(lines, at, bytes.length);
    // The size has one byte for the line break of the last line.
    const read = size > bytes.length ? undefined : readAtSync(file, from, size, bytes);
    const input = read && scanner?.load(read);
    for (; at < end; at += FIELDS) {
      const [line, offset, length] = [lines[at]!, lines[at + 1]!, lines[at + 2]!];
      const to = offset - from + length;
      // The scanner needs a line break, and the words of entries that share a line must be side by side.
      const isWhole = read?.[to] === NEWLINE && line !== lines[at - FIELDS];
      if (input && isWhole && texts.scan(line, input, offset - from, to)) continue;
      const value = lineAt(file, { offset, length });
      const { role, text } = textOfLine(value ?? {});
      texts.add(line, words.add(text, isRead(role)));
    }
  }
  return words.finish(texts.finish());
}

/** Returns the lines from `at` on that are read in one call, and the range of their bytes. */
function readTogether(lines: readonly number[], at: number, capacity: number): { end: number; from: number; size: number } {
  const from = lines[at + 1]!;
  let end = at;
  let size: number;
  do {
    size = lines[end + 1]! - from + lines[end + 2]! + 1;
    end += FIELDS;
  } while (
    end < lines.length &&
    lines[end + 1]! - from - size <= MAX_GAP &&
    lines[end + 1]! - from + lines[end + 2]! < Math.min(MAX_TOGETHER, capacity)
  );
  return { end, from, size };
}

/** The texts that were read. `finish` appends the texts that the scanner took. */
class Texts {
  private readonly positions: number[] = [];
  /** The indexes in `positions` of the texts that the scanner took. */
  private readonly scanned: number[] = [];
  private size = 0;

  constructor(
    private readonly words: LineWordsWriter,
    private readonly rows: ScannedRows | undefined,
  ) {}

  add(line: number, { from, to }: ByteRange): void {
    // A match that spans two entries on one line is discarded when the line itself is searched.
    if (this.positions.at(-FIELDS) === line) this.positions[this.positions.length - 1] = to;
    else this.positions.push(line, from, to);
  }

  /** Returns false if the line has to be parsed. */
  scan(line: number, input: LoadedBytes, from: number, to: number): boolean {
    const size = this.rows?.addWords(input, from, to) ?? NONE;
    if (size === NONE) return false;
    this.scanned.push(this.positions.length);
    this.positions.push(line, this.size, size);
    this.size = size;
    return true;
  }

  finish(): readonly number[] {
    const base = this.rows ? this.words.append(this.rows.part('words')) : 0;
    for (const at of this.scanned) {
      this.positions[at + 1]! += base;
      this.positions[at + 2]! += base;
    }
    return this.positions;
  }
}
