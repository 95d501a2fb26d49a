/**
 * The numbers of lines in the full-text index. They are consecutive, because the index stores the differences between
 * them, and fall with time, because the index returns matches in ascending order: a search that needs a few of very many
 * matches takes the newest.
 */
import type { DatabaseSync } from 'node:sqlite';
import { prepareRows, rowChecker, type ResultRow, type RowStatement } from './sqlite/resultRows';

/** Consecutive numbers of a session's lines: that of the last line is `first`, that of the line before is the next one. */
export interface DocumentRange {
  readonly first: number;
  /** The last line. */
  readonly line: number;
  readonly count: number;
}

/** The numbers begin below this one, and have four bytes in the index. They may become negative, which only takes more space. */
const END = 2 ** 28;

/** The number of a line that is in the range. */
export const documentOf = ({ first, line }: DocumentRange, at: number): number => first + line - at;

/** True if a line is in the range. */
export const coversLine = ({ line, count }: DocumentRange, at: number): boolean => at <= line && at > line - count;

const rangeRow = rowChecker('number', 'number', 'number');
const lowestRow = rowChecker('number?');

/** Reads a range from its columns `first`, `line` and `count`. */
function rangeOf(row: ResultRow): DocumentRange {
  const [first, line, count] = rangeRow(row);
  return { first, line, count };
}

/** The table of numbers. All methods must run within a transaction. */
export class DocumentNumbers {
  private readonly lowest: RowStatement;
  private readonly insert: RowStatement;
  private readonly select: RowStatement;
  private readonly delete: RowStatement;
  /** Numbers that are set aside for sessions that are stored one after the other. */
  private block = { next: 0, end: 0 };
  private expected = 0;

  constructor(database: DatabaseSync) {
    this.lowest = prepareRows(database, 'SELECT min(first) FROM documents');
    this.insert = prepareRows(database, 'INSERT INTO documents (first, n, line, count) VALUES (?, ?, ?, ?)');
    this.select = prepareRows(database, 'SELECT first, line, count FROM documents WHERE n = ? AND line >= ? ORDER BY line, first');
    this.delete = prepareRows(database, 'DELETE FROM documents WHERE n = ?');
  }

  /** Sets numbers aside for new sessions, which are stored from the newest to the oldest: at most `lines` lines. */
  expect(lines: number): void {
    this.block = { next: 0, end: 0 };
    this.expected = lines;
  }

  /** Numbers the lines of a session from the first to the last of the given ones. @param isNew true for a session that was expected */
  add(n: number, from: number, to: number, isNew: boolean): DocumentRange {
    const count = to - from + 1;
    const range = { first: this.take(count, isNew), line: to, count };
    this.insert.run(range.first, n, to, count);
    return range;
  }

  /** The ranges of a session that end at a line or later. */
  of(n: number, from: number): DocumentRange[] {
    return this.select.all(n, from).map(rangeOf);
  }

  remove(n: number): void {
    this.delete.run(n);
  }

  private take(count: number, isNew: boolean): number {
    if (!isNew || this.block.next + count > this.block.end) {
      const lowest = this.lowest.get();
      const end = (lowest && lowestRow(lowest)[0]) ?? END;
      if (!isNew) return end - count;
      // Its first number is stored in this transaction, so that other windows set aside lower ones.
      this.block = { next: end - Math.max(count, this.expected), end };
    }
    const first = this.block.next;
    this.block.next += count;
    return first;
  }
}
