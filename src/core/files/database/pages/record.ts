/** The columns of a record. The format: https://www.sqlite.org/fileformat2.html#record_format */
import { CorruptDatabase } from '../databaseErrors';
import { integer, varint, varintEnd } from './numbers';

/** Integers that exceed 2^53 lose their last digits. */
export type ColumnValue = string | number | Buffer | null;

/** SQLite's own limit. */
const MAX_COLUMNS = 32_767;

/** The bytes of a record's header that tell its length. */
export const headerLength = (start: Buffer): number => varint(start, 0);

/** The columns of one record after the other, by their numbers from 0. There are millions of columns, so none is an object. */
export class RecordColumns {
  /** The number of columns. */
  count = 0;
  /** The record, or its beginning. */
  private bytes: Buffer = Buffer.alloc(0);
  /** SQLite's serial types. */
  private readonly types: number[] = [];
  /** The offsets at which the columns begin in the record, and at which the last one ends. */
  private readonly offsets: number[] = [];

  /** Reads the header of the next record. @param start the beginning of the record, at least its header. @throws {CorruptDatabase} */
  read(start: Buffer): void {
    const end = varint(start, 0);
    if (end > start.length) throw new CorruptDatabase('a record’s header is cut off');
    this.bytes = start;
    let count = 0;
    let offset = end;
    for (let at = varintEnd(start, 0); at < end; at = varintEnd(start, at)) {
      if (count === MAX_COLUMNS) throw new CorruptDatabase('a record has too many columns');
      const type = varint(start, at);
      this.types[count] = type;
      this.offsets[count++] = offset;
      offset += type >= 12 ? Math.floor((type - 12) / 2) : (LENGTHS[type] ?? 0);
    }
    this.offsets[count] = offset;
    this.count = count;
  }

  has(column: number): boolean {
    return column >= 0 && column < this.count;
  }

  /** Returns the number of bytes that a column has in the whole record. */
  length(column: number): number {
    return this.end(column) - this.offset(column);
  }

  isText(column: number): boolean {
    const type = this.type(column);
    return type >= 13 && type % 2 === 1;
  }

  isBlob(column: number): boolean {
    const type = this.type(column);
    return type >= 12 && type % 2 === 0;
  }

  /** Returns a column's value; `null` if there is no such column, or the bytes that were read of the record end before its end. */
  value(column: number): ColumnValue {
    if (this.type(column) < 12) return this.number(column) ?? null;
    const [from, to] = [this.offset(column), this.end(column)];
    if (to > this.bytes.length) return null;
    return this.isText(column) ? this.bytes.toString('utf8', from, to) : this.bytes.subarray(from, to);
  }

  /** Returns a column's value if it's a number and was read; `undefined` for any other. */
  number(column: number): number | undefined {
    const [type, from, to] = [this.type(column), this.offset(column), this.end(column)];
    const { bytes } = this;
    if (to > bytes.length) return undefined;
    if (type >= 1 && type <= 5) return integer(bytes, from, to - from);
    if (type === 6) return Number(bytes.readBigInt64BE(from));
    if (type === 7) return bytes.readDoubleBE(from);
    return type === 8 || type === 9 ? type - 8 : undefined;
  }

  /** Returns the bytes of a column, as far as they were read. */
  bytesOf(column: number): Buffer {
    return this.bytes.subarray(this.offset(column), this.end(column));
  }

  /**
   * Compares a column with a text as SQLite sorts: empty values and numbers before texts, and bytes behind them.
   *
   * @param text UTF-8
   * @returns a negative number if the column is before the text, or isn't there; a positive one if it's behind it
   */
  compareText(column: number, text: Buffer): number {
    if (!this.isText(column)) return this.isBlob(column) ? 1 : -1;
    const [from, to] = [this.offset(column), this.end(column)];
    if (to > this.bytes.length) return -1;
    const length = Math.min(to - from, text.length);
    for (let at = 0; at < length; at++) {
      const difference = this.bytes[from + at]! - text[at]!;
      if (difference !== 0) return difference;
    }
    return to - from - text.length;
  }

  /** SQLite's serial type of a column. A column that doesn't exist is an empty value. */
  private type(column: number): number {
    return this.has(column) ? this.types[column]! : 0;
  }

  private offset(column: number): number {
    return this.has(column) ? this.offsets[column]! : 0;
  }

  private end(column: number): number {
    return this.has(column) ? this.offsets[column + 1]! : 0;
  }
}

/** The lengths of values without their own, by their types. */
const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
