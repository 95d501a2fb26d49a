/** Tables of numbered ASCII strings, found by hash: views of the tables that `wasm/memory.ts` makes. */
import { asciiOf } from '../scanner/byteViews';
import { HASH_MULTIPLIER, NONE, TABLE_ENTRY_LENGTH, TableEntry } from '../scanner/scannerLayout';

export interface StringTable {
  /** Indexes of entries plus one, or 0. The length is a power of two. */
  readonly slots: Int32Array;
  /** `TABLE_ENTRY_LENGTH` numbers for each entry. */
  readonly entries: Int32Array;
  readonly bytes: Uint8Array;
}

export const tableSize = ({ entries }: StringTable): number => entries.length / TABLE_ENTRY_LENGTH;

/** Returns the value of a string; `undefined` if the table doesn't have it. */
export function lookUp(table: StringTable, text: string): number | undefined {
  const index = find(table, text);
  return index === NONE ? undefined : fieldOf(table, index, TableEntry.value);
}

/** Returns all strings by the index of their entry. */
export function allTexts(table: StringTable): string[] {
  const letters = asciiOf(table.bytes);
  return Array.from({ length: tableSize(table) }, (_, index) => {
    const from = fieldOf(table, index, TableEntry.from);
    return letters.substring(from, from + fieldOf(table, index, TableEntry.length));
  });
}

/** Returns the string of an entry. */
export function textAt(table: StringTable, index: number): string {
  const from = fieldOf(table, index, TableEntry.from);
  return asciiOf(table.bytes.subarray(from, from + fieldOf(table, index, TableEntry.length)));
}

const fieldOf = ({ entries }: StringTable, index: number, field: TableEntry): number => entries[index * TABLE_ENTRY_LENGTH + field]!;

/**
 * Returns the index of the first entry in the slots of a hash for which `isMatch` is true; `NONE` if there is none.
 *
 * @throws {Error} if no slot is free: a view has no slots once its memory has grown.
 */
export function probe(slots: Int32Array, hash: number, isMatch: (index: number) => boolean): number {
  const mask = slots.length - 1;
  let slot = hash & mask;
  for (let left = slots.length; left > 0; left--) {
    const number = slots[slot]!;
    if (number === 0) return NONE;
    if (isMatch(number - 1)) return number - 1;
    slot = (slot + 1) & mask;
  }
  throw new Error('The table has no free slot.');
}

function find({ slots, entries, bytes }: StringTable, text: string): number {
  const hash = hashOf(text);
  return probe(slots, hash, (index) => {
    const at = index * TABLE_ENTRY_LENGTH;
    return (
      entries[at + TableEntry.hash] === hash &&
      entries[at + TableEntry.length] === text.length &&
      isAt(bytes, entries[at + TableEntry.from]!, text)
    );
  });
}

/** Hashes a string exactly as `hashOf` in `wasm/memory.ts`. */
function hashOf(text: string): number {
  let hash = text.length;
  let at = 0;
  for (; at + 4 <= text.length; at += 4) {
    hash = mixHash(
      hash,
      text.charCodeAt(at) | (text.charCodeAt(at + 1) << 8) | (text.charCodeAt(at + 2) << 16) | (text.charCodeAt(at + 3) << 24),
    );
  }
  for (; at < text.length; at++) hash = mixHash(hash, text.charCodeAt(at));
  return hash ^ (hash >>> 15);
}

function mixHash(hash: number, value: number): number {
  const both = hash ^ value;
  return Math.imul((both << 13) | (both >>> 19), HASH_MULTIPLIER);
}

function isAt(bytes: Uint8Array, from: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[from + index] !== text.charCodeAt(index)) return false;
  return true;
}
