/** The keys whose values the scanner reads, at any level of a line, and fields by key. The caller names them at the start. */
import { NONE } from '../../scanner/scannerLayout';

/** The most keys: sets of keys have a bit for each. */
export const MAX_KEYS = 63;
/** Limits of the names' lengths in bytes. */
const MIN_KEY_BYTES: usize = 2;
const MAX_KEY_BYTES: usize = 16;
/** A name's slot follows from some of its letters and its length, by a multiplier and a shift for which few names have the same one. */
const SLOTS: u32 = 128;
const MULTIPLIER: u32 = 235;
const SHIFT: u32 = 9;
/** A name whose slot is taken has the next free one. So many slots follow that a search ends before their end. */
const ALL_SLOTS: usize = SLOTS + MAX_KEYS + 1;
const slots: usize = heap.alloc(ALL_SLOTS * offsetof<Slot>());
memory.fill(slots, 0, ALL_SLOTS * offsetof<Slot>());
let keyCount = 0;

@unmanaged
class Slot {
  low: u64;
  high: u64;
  /** 0 if the slot is free. */
  size: u32;
  key: i32;
}

function slotOf(from: usize, size: usize): usize {
  const letters = <u32>load<u16>(from) + ((<u32>load<u8>(from + size - 1)) << 6) + ((<u32>size) << 13);
  return slots + <usize>(((letters * MULTIPLIER) >> SHIFT) & (SLOTS - 1)) * offsetof<Slot>();
}

/** Returns the number of the key with a name, which gets the next number if it is new. */
export function addKey(at: usize, size: usize): i32 {
  const known = keyNamed(at, at + size);
  if (known != NONE) return known;
  if (size < MIN_KEY_BYTES || size > MAX_KEY_BYTES || keyCount == MAX_KEYS) unreachable();
  let slot = slotOf(at, size);
  while (changetype<Slot>(slot).size != 0) slot += offsetof<Slot>();
  memory.copy(slot, at, size);
  changetype<Slot>(slot).size = <u32>size;
  changetype<Slot>(slot).key = keyCount;
  return keyCount++;
}

/** Returns the `Key` or further key with this name, or `NONE`. */
export function keyNamed(from: usize, to: usize): i32 {
  const size = to - from;
  if (size < MIN_KEY_BYTES || size > MAX_KEY_BYTES) return NONE;
  for (let at = slotOf(from, size); changetype<Slot>(at).size != 0; at += offsetof<Slot>()) {
    const slot = changetype<Slot>(at);
    if (<usize>slot.size != size) continue;
    const differing = i8x16.bitmask(i8x16.ne(v128.load(from), v128.load(at)));
    if ((differing & ((1 << (<i32>size)) - 1)) == 0) return slot.key;
  }
  return NONE;
}

/** Fields that the caller has named. `numbers` has their numbers by key, after a byte for `NONE`, which is no field. */
@unmanaged
export class Fields {
  numbers: usize;
  count: i32;
}

export function createFields(): Fields {
  const fields = changetype<Fields>(heap.alloc(offsetof<Fields>()));
  fields.numbers = heap.alloc(MAX_KEYS + 1);
  memory.fill(fields.numbers, <u8>NONE, MAX_KEYS + 1);
  fields.count = 0;
  return fields;
}

/** Returns the number of the field, which is new. */
export function addField(fields: Fields, key: i32): i32 {
  store<i8>(fields.numbers + 1 + key, <i8>fields.count);
  return fields.count++;
}

/** Returns the number of the field with a key, or `NONE`. */
export function fieldOf(fields: Fields, key: i32): i32 {
  return load<i8>(fields.numbers + 1 + key);
}
