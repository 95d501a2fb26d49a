/** Lists of numbers in memory, and variable-length integers as the catalog stores them: seven bits per byte, low bits first. */
import { GrowableBytes, resetWithCapacity } from './memory';

/** The most bytes of a variable-length integer of 32 bits, and of one of 53 bits. */
export const MAX_VARINT32_BYTES: usize = 5;
export const MAX_VARINT53_BYTES: usize = 8;

export function intAt(list: GrowableBytes, index: i32): i32 {
  return load<i32>(list.at + ((<usize>index) << 2));
}

export function setInt(list: GrowableBytes, index: i32, value: i32): void {
  store<i32>(list.at + ((<usize>index) << 2), value);
}

export function doubleAt(list: GrowableBytes, index: i32): f64 {
  return load<f64>(list.at + ((<usize>index) << 3));
}

/** Appends without a capacity check; the caller has reserved the space. */
export function appendInt(list: GrowableBytes, value: i32): void {
  store<i32>(list.at + list.size, value);
  list.size += 4;
}

/** Reserves `size` bytes and sets them to 0; the list itself is empty. */
export function resetToZeros(bytes: GrowableBytes, size: usize): void {
  resetWithCapacity(bytes, size);
  memory.fill(bytes.at, 0, size);
}

export function putVarint(bytes: GrowableBytes, value: u64): void {
  let at = bytes.at + bytes.size;
  for (; value >= 128; value >>= 7) store<u8>(at++, <u8>(value | 128));
  store<u8>(at++, <u8>value);
  bytes.size = at - bytes.at;
}

export function putSignedVarint(bytes: GrowableBytes, value: i64): void {
  putVarint(bytes, value < 0 ? -value * 2 - 1 : value * 2);
}
