/**
 * Growable byte arrays, and tables that hold each byte string once. Their fields have the same order as in
 * `scanner/scannerLayout.ts`.
 */
import { BYTES_LENGTH, HASH_MULTIPLIER, NONE, TABLE_ENTRY_LENGTH, TABLE_LENGTH } from '../../scanner/scannerLayout';

@unmanaged
export class GrowableBytes {
  at: usize;
  capacity: usize;
  size: usize;
}
if (offsetof<GrowableBytes>() != BYTES_LENGTH << 2) ERROR('GrowableBytes differs from BytesField');

export function createBytes(room: usize): GrowableBytes {
  const bytes = changetype<GrowableBytes>(heap.alloc(offsetof<GrowableBytes>()));
  bytes.at = heap.alloc(room);
  bytes.capacity = room;
  bytes.size = 0;
  return bytes;
}

/** Bytes are copied and compared sixteen at a time, so this many may be read and written after the end. */
export const PADDING: usize = 16;

/** Makes room for `more` bytes at the end and returns its address. */
export function reserve(bytes: GrowableBytes, more: usize): usize {
  const needed = bytes.size + more + PADDING;
  if (needed > bytes.capacity) {
    bytes.capacity = max(needed, bytes.capacity * 2);
    bytes.at = heap.realloc(bytes.at, bytes.capacity);
  }
  return bytes.at + bytes.size;
}

export function append(bytes: GrowableBytes, from: usize, length: usize): void {
  const into = reserve(bytes, length);
  for (let at: usize = 0; at < length; at += 16) v128.store(into + at, v128.load(from + at));
  bytes.size += length;
}

/** Appends a number of 32 bits without a capacity check; the caller has reserved the space. */
export function appendInt(bytes: GrowableBytes, value: i32): void {
  store<i32>(bytes.at + bytes.size, value);
  bytes.size += 4;
}

/** Empties the array and reserves `size` bytes in one step. */
export function resetWithCapacity(bytes: GrowableBytes, size: usize): void {
  bytes.size = 0;
  reserve(bytes, size);
}

/** A string of a table: its position in the table's bytes, and a number that belongs to it. */
@unmanaged
export class Entry {
  from: u32;
  length: u32;
  hash: u32;
  value: i32;
}
if (offsetof<Entry>() != TABLE_ENTRY_LENGTH << 2) ERROR('Entry differs from TableEntry');

/** Hash table with open addressing: a slot holds the index of an entry plus one, or 0. */
@unmanaged
export class Table {
  slots: usize;
  mask: u32;
  entries: GrowableBytes;
  bytes: GrowableBytes;
}
if (offsetof<Table>() != TABLE_LENGTH << 2) ERROR('Table differs from TableField');

const INITIAL_SLOTS: u32 = 1024;

export function createTable(): Table {
  const table = changetype<Table>(heap.alloc(offsetof<Table>()));
  table.mask = INITIAL_SLOTS - 1;
  table.slots = heap.alloc(INITIAL_SLOTS << 2);
  table.entries = createBytes(256 * offsetof<Entry>());
  table.bytes = createBytes(4096);
  clear(table);
  return table;
}

export function clear(table: Table): void {
  memory.fill(table.slots, 0, (<usize>table.mask + 1) << 2);
  table.entries.size = table.bytes.size = 0;
}

/** Makes room in an empty table for `count` strings of `size` bytes each. */
export function reserveEntries(table: Table, count: usize, size: usize): void {
  while (count * 2 > table.mask) enlarge(table);
  resetWithCapacity(table.entries, count * offsetof<Entry>());
  resetWithCapacity(table.bytes, count * size);
}

export function entryOf(table: Table, index: i32): Entry {
  return changetype<Entry>(table.entries.at + <usize>index * offsetof<Entry>());
}

/** Returns the index of the entry, or `NONE`. */
export function find(table: Table, from: usize, length: u32): i32 {
  return lookUp(table, from, length, hashOf(from, length));
}

/** Returns the index of the entry, which is added with this value if it is missing. */
export function intern(table: Table, from: usize, length: u32, value: i32): i32 {
  const hash = hashOf(from, length);
  const known = lookUp(table, from, length, hash);
  if (known != NONE) return known;
  const index = <u32>(table.entries.size / offsetof<Entry>());
  if (index * 2 > table.mask) enlarge(table);
  const entry = changetype<Entry>(reserve(table.entries, offsetof<Entry>()));
  table.entries.size += offsetof<Entry>();
  entry.from = <u32>table.bytes.size;
  entry.length = length;
  entry.hash = hash;
  entry.value = value;
  append(table.bytes, from, length);
  fillSlot(table, hash, index + 1);
  return <i32>index;
}

/** Hashes four bytes at a time, exactly as `hashOf` in `columns/stringTable.ts`. */
export function hashOf(from: usize, length: u32): u32 {
  let hash: u32 = length;
  const end = from + length;
  let at = from;
  for (; at + 4 <= end; at += 4) hash = rotl(hash ^ load<u32>(at), 13) * <u32>HASH_MULTIPLIER;
  for (; at < end; at++) hash = rotl(hash ^ load<u8>(at), 13) * <u32>HASH_MULTIPLIER;
  return hash ^ (hash >>> 15);
}

function isSame(one: usize, other: usize, length: usize): bool {
  let at: usize = 0;
  for (; at + 8 <= length; at += 8) if (load<u64>(one + at) != load<u64>(other + at)) return false;
  for (; at < length; at++) if (load<u8>(one + at) != load<u8>(other + at)) return false;
  return true;
}

function lookUp(table: Table, from: usize, length: u32, hash: u32): i32 {
  let slot = hash & table.mask;
  let number = load<u32>(table.slots + ((<usize>slot) << 2));
  while (number != 0) {
    const entry = entryOf(table, <i32>number - 1);
    if (entry.hash == hash && entry.length == length && isSame(table.bytes.at + entry.from, from, length)) return <i32>number - 1;
    slot = (slot + 1) & table.mask;
    number = load<u32>(table.slots + ((<usize>slot) << 2));
  }
  return NONE;
}

function fillSlot(table: Table, hash: u32, number: u32): void {
  let slot = hash & table.mask;
  while (load<u32>(table.slots + ((<usize>slot) << 2)) != 0) slot = (slot + 1) & table.mask;
  store<u32>(table.slots + ((<usize>slot) << 2), number);
}

function enlarge(table: Table): void {
  table.mask = table.mask * 4 + 3;
  heap.free(table.slots);
  const size = (<usize>table.mask + 1) << 2;
  table.slots = heap.alloc(size);
  memory.fill(table.slots, 0, size);
  const count = <u32>(table.entries.size / offsetof<Entry>());
  for (let index: u32 = 0; index < count; index++) fillSlot(table, entryOf(table, <i32>index).hash, index + 1);
}
