/** The columns of a record. The format: https://www.sqlite.org/fileformat2.html#record_format */
import { CorruptDatabase } from '../databaseErrors';

/** Integers that exceed 2^53 lose their last digits. */
export type ColumnValue = string | number | Buffer | null;

/** SQLite's own limit. */
const MAX_COLUMNS = 32_767;

/** The place of a column in its record. */
export interface ColumnPlace {
  /** SQLite's serial type. */
  readonly type: number;
  /** From the beginning of the record, in bytes. */
  readonly offset: number;
  readonly length: number;
}

/** Reads a variable-length integer. Returns it with the position behind it. */
export function varint(bytes: Buffer, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) throw new CorruptDatabase('a number is cut off');
    value = value * 128 + (byte & 0x7f);
    if (byte < 128) return [value, at + index + 1];
  }
  return [value * 256 + (bytes[at + 8] ?? 0), at + 9];
}

/** The bytes of a record's header that tell its length. */
export const headerLength = (start: Buffer): number => varint(start, 0)[0];

/** Returns the places of the columns. `start`: the beginning of the record, at least its header. */
export function columnPlaces(start: Buffer): ColumnPlace[] {
  const [end, first] = varint(start, 0);
  if (end > start.length) throw new CorruptDatabase('a record’s header is cut off');
  const places: ColumnPlace[] = [];
  for (let at = first, offset = end; at < end;) {
    const [type, next] = varint(start, at);
    const length = type >= 12 ? Math.floor((type - 12) / 2) : (LENGTHS[type] ?? 0);
    if (places.length === MAX_COLUMNS) throw new CorruptDatabase('a record has too many columns');
    places.push({ type, offset, length });
    offset += length;
    at = next;
  }
  return places;
}

const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

export const isText = ({ type }: ColumnPlace): boolean => type >= 13 && type % 2 === 1;
export const isBlob = ({ type }: ColumnPlace): boolean => type >= 12 && type % 2 === 0;

/** Returns a column's value; `null` if the record is shorter than the column's place. */
export function columnValue(record: Buffer, { type, offset, length }: ColumnPlace): ColumnValue {
  if (offset + length > record.length) return null;
  if (type >= 12) return type % 2 === 1 ? record.toString('utf8', offset, offset + length) : record.subarray(offset, offset + length);
  if (type === 7) return record.readDoubleBE(offset);
  if (type === 8 || type === 9) return type - 8;
  if (type === 6) return Number(record.readBigInt64BE(offset));
  return type >= 1 && type <= 5 ? record.readIntBE(offset, length) : null;
}
