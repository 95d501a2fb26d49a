/** Variable-length integers as SQLite stores them: seven bits per byte, high bits first; a ninth byte has eight bits. */
import { GrowableBytes } from '../memory/memory';

export const MAX_VARINT_BYTES: usize = 9;

/** The values from which on all nine bytes are needed. */
const NINE_BYTES: u64 = (<u64>1) << 56;

/** The length of the integer that was read last. */
export let varintLength: usize = 0;

/** Appends to bytes that have room. */
export function putVarint(bytes: GrowableBytes, value: u64): void {
  bytes.size += writeVarint(bytes.at + bytes.size, value);
}

/** Returns the length. */
export function writeVarint(at: usize, value: u64): usize {
  if (value < 0x80) {
    store<u8>(at, <u8>value);
    return 1;
  }
  if (value >= NINE_BYTES) {
    store<u8>(at, <u8>value, 8);
    writeGroups(at, 8, value >> 8);
    store<u8>(at, load<u8>(at, 7) | 0x80, 7);
    return MAX_VARINT_BYTES;
  }
  let length: usize = 2;
  while (value >> (7 * <u64>length) != 0) length++;
  writeGroups(at, length, value);
  return length;
}

function writeGroups(at: usize, length: usize, value: u64): void {
  store<u8>(at + length - 1, <u8>(value & 0x7f));
  for (let index = length - 1; index > 0; index--) {
    value >>= 7;
    store<u8>(at + index - 1, <u8>(value | 0x80));
  }
}

export function readVarint(at: usize): u64 {
  let value: u64 = 0;
  for (let index: usize = 0; index < MAX_VARINT_BYTES - 1; index++) {
    const byte = load<u8>(at + index);
    value = (value << 7) | (byte & 0x7f);
    varintLength = index + 1;
    if (byte < 0x80) return value;
  }
  varintLength = MAX_VARINT_BYTES;
  return (value << 8) | load<u8>(at, 8);
}
