/** Texts of ASCII that lie as bytes in one piece, each with a number, found by hash: as `wasm/memory.ts` makes them. */

/** Of each: where it begins, its length, its hash, its number. */
const ENTRY_SIZE = 4;
const NOT_FOUND = -1;

export interface StringTable {
  /** Numbers of entries and one more; 0 where there is none. As many as a power of two. */
  readonly slots: Int32Array;
  readonly entries: Int32Array;
  readonly bytes: Uint8Array;
}

export const tableSize = ({ entries }: StringTable): number => entries.length / ENTRY_SIZE;

/** The number that goes with a text; `undefined` if it is not there. */
export function lookUp(table: StringTable, text: string): number | undefined {
  const index = find(table, text);
  return index === NOT_FOUND ? undefined : table.entries[index * ENTRY_SIZE + 3]!;
}

/** All texts, by the number of their entry. */
export function allTexts({ entries, bytes }: StringTable): string[] {
  const letters = new TextDecoder().decode(bytes);
  return Array.from({ length: entries.length / ENTRY_SIZE }, (_, index) => letters.substring(entries[index * ENTRY_SIZE]!, entries[index * ENTRY_SIZE]! + entries[index * ENTRY_SIZE + 1]!));
}

/** The numbers that go with them, in the same order. */
export const allValues = ({ entries }: StringTable): number[] => Array.from({ length: entries.length / ENTRY_SIZE }, (_, index) => entries[index * ENTRY_SIZE + 3]!);

export function textAt({ entries, bytes }: StringTable, index: number): string {
  const from = entries[index * ENTRY_SIZE]!;
  return String.fromCharCode(...bytes.subarray(from, from + entries[index * ENTRY_SIZE + 1]!));
}

/** Slots for texts with these hashes, by their order. */
export function buildSlots(hashes: Int32Array): Int32Array {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * hashes.length + 2)));
  const mask = slots.length - 1;
  for (let index = 0; index < hashes.length; index++) {
    let slot = hashes[index]! & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = index + 1;
  }
  return slots;
}

/** The first entry with that hash's place which is the one that is meant, or -1. */
export function probe(slots: Int32Array, hash: number, isMeant: (index: number) => boolean): number {
  const mask = slots.length - 1;
  for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) if (isMeant(slots[slot]! - 1)) return slots[slot]! - 1;
  return NOT_FOUND;
}

function find({ slots, entries, bytes }: StringTable, text: string): number {
  const hash = hashOf(text);
  return probe(slots, hash, (index) => {
    const at = index * ENTRY_SIZE;
    return entries[at + 2] === hash && entries[at + 1] === text.length && isAt(bytes, entries[at]!, text);
  });
}

/** As in `wasm/memory.ts`. */
export function hashOf(text: string): number {
  let hash = text.length;
  let at = 0;
  for (; at + 4 <= text.length; at += 4) {
    hash = mixHash(hash, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 8) | (text.charCodeAt(at + 2) << 16) | (text.charCodeAt(at + 3) << 24));
  }
  for (; at < text.length; at++) hash = mixHash(hash, text.charCodeAt(at));
  return hash ^ (hash >>> 15);
}

function mixHash(hash: number, value: number): number {
  const both = hash ^ value;
  return Math.imul((both << 13) | (both >>> 19), 0x9e3779b1);
}

function isAt(bytes: Uint8Array, from: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[from + index] !== text.charCodeAt(index)) return false;
  return true;
}
