/**
 * The numbers of SQLite's format, most significant byte first. They're read for each row and each entry of an index: V8 compiles
 * Node's own functions with all of their checks into each caller, which takes longer than reading.
 */
import { CorruptDatabase } from '../databaseErrors';

/** Reads two bytes, which must be there, as must those of the other functions. */
export function uint16(bytes: Buffer, at: number): number {
  return bytes[at]! * 256 + bytes[at + 1]!;
}

/** Reads four bytes. */
export function uint32(bytes: Buffer, at: number): number {
  return uint16(bytes, at) * 65536 + uint16(bytes, at + 2);
}

/** Reads a signed integer of one to six bytes. */
export function integer(bytes: Buffer, at: number, length: number): number {
  let value = bytes[at]! < 128 ? bytes[at]! : bytes[at]! - 256;
  for (let index = 1; index < length; index++) value = value * 256 + bytes[at + index]!;
  return value;
}

/** Reads a variable-length integer. @throws {CorruptDatabase} if it's cut off */
export function varint(bytes: Buffer, at: number): number {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) throw new CorruptDatabase('a number is cut off');
    value = value * 128 + (byte & 0x7f);
    if (byte < 128) return value;
  }
  return value * 256 + (bytes[at + 8] ?? 0);
}

/** Returns the position behind a variable-length integer. */
export function varintEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (end < at + 8 && bytes[end]! >= 128) end++;
  return end + 1;
}
