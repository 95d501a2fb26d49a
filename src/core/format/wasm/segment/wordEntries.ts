/** The words of a segment in a hash table with open addressing, each with the numbers of the documents that have it. */
import { freeAll, LINE_SIZE, take } from './arena';
import { MAX_VARINT_BYTES, writeVarint } from './varints';

/** A word. Its bytes follow, filled up with zeros to a multiple of sixteen, and then the first bytes of its documents. */
@unmanaged
export class WordEntry {
  hash: u32;
  length: u32;
  /** The last document that has the word, and how often. */
  document: i32;
  count: i32;
  /** The entry of the marked word for documents that repeat it, or 0. */
  marked: usize;
  /** The bytes of the documents. */
  size: u32;
  /** The next byte of the documents, and the end of its piece of memory. */
  at: usize;
  end: usize;
}

const HEADER_SIZE: usize = offsetof<WordEntry>();
/** The bytes of documents that an entry has room for: with a word of up to sixteen bytes it fills a line of the cache. */
const FIRST_SIZE: usize = 12;
/** The sizes of the pieces that follow, each with the address of the next one at its end. They double. */
const MIN_PIECE: usize = LINE_SIZE;
const MAX_PIECE: usize = 4096;
const LINK: usize = sizeof<usize>();

/** A slot has a word's hash and its entry's address, or 0. */
const SLOT_SIZE: usize = 8;
const INITIAL_SLOTS: u32 = 1 << 16;

/** An integer that may be divided between two pieces. */
const varint = heap.alloc(MAX_VARINT_BYTES);

let slots: usize = 0;
let mask: u32 = 0;
export let wordCount: u32 = 0;

export function beginWordEntries(): void {
  freeAll();
  allocateSlots(INITIAL_SLOTS);
  wordCount = 0;
}

function allocateSlots(count: u32): void {
  if (slots != 0) heap.free(slots);
  mask = count - 1;
  slots = heap.alloc(<usize>count * SLOT_SIZE);
  memory.fill(slots, 0, <usize>count * SLOT_SIZE);
}

function slotAt(slot: u32): usize {
  return slots + <usize>slot * SLOT_SIZE;
}

export function wordAt(entry: WordEntry): usize {
  return changetype<usize>(entry) + HEADER_SIZE;
}

function paddedLength(length: u32): usize {
  return <usize>((length + 15) & ~15);
}

/** The sum of what was loaded, so that the loads aren't left out. */
let loaded: u32 = 0;

/** Loads the entry that has a hash, if there is one, into the processor's cache. */
export function prepareEntry(hash: u32): void {
  loaded += load<u32>(load<usize>(slotAt(hash & mask), 4));
}

/** Returns the entry of a word of at most sixteen bytes, which are followed by zeros. */
export function shortEntry(word: v128, length: u32, hash: u32): WordEntry {
  let slot = hash & mask;
  for (let address = load<usize>(slotAt(slot), 4); address != 0; address = load<usize>(slotAt(slot), 4)) {
    if (load<u32>(slotAt(slot)) == hash) {
      const entry = changetype<WordEntry>(address);
      if (entry.length == length && i8x16.all_true(i8x16.eq(v128.load(wordAt(entry)), word))) return entry;
    }
    slot = (slot + 1) & mask;
  }
  const entry = addEntry(slot, length, hash);
  v128.store(wordAt(entry), word);
  return entry;
}

/** Returns the entry of a word that's followed by zeros up to a multiple of sixteen. */
export function longEntry(at: usize, length: u32, hash: u32): WordEntry {
  let slot = hash & mask;
  for (let address = load<usize>(slotAt(slot), 4); address != 0; address = load<usize>(slotAt(slot), 4)) {
    if (load<u32>(slotAt(slot)) == hash) {
      const entry = changetype<WordEntry>(address);
      if (entry.length == length && memory.compare(wordAt(entry), at, length) == 0) return entry;
    }
    slot = (slot + 1) & mask;
  }
  const entry = addEntry(slot, length, hash);
  memory.copy(wordAt(entry), at, paddedLength(length));
  return entry;
}

function addEntry(slot: u32, length: u32, hash: u32): WordEntry {
  const padded = paddedLength(length);
  const address = take((HEADER_SIZE + padded + FIRST_SIZE + LINK + LINE_SIZE - 1) & ~(LINE_SIZE - 1));
  const entry = changetype<WordEntry>(address);
  entry.hash = hash;
  entry.length = length;
  entry.at = firstPiece(entry);
  entry.end = entry.at + FIRST_SIZE;
  store<u32>(slotAt(slot), hash);
  store<usize>(slotAt(slot), address, 4);
  if (++wordCount * 2 > mask) enlarge();
  return entry;
}

function enlarge(): void {
  const before = slots;
  const last = mask;
  slots = 0;
  allocateSlots((last + 1) * 2);
  for (let index: u32 = 0; index <= last; index++) {
    const from = before + <usize>index * SLOT_SIZE;
    if (load<usize>(from, 4) == 0) continue;
    let slot = load<u32>(from) & mask;
    while (load<usize>(slotAt(slot), 4) != 0) slot = (slot + 1) & mask;
    store<u64>(slotAt(slot), load<u64>(from));
  }
  heap.free(before);
}

/** Writes the addresses of all entries, each behind the first eight bytes of its word as a number that orders them. */
export function listEntries(into: usize): void {
  for (let slot: u32 = 0; slot <= mask; slot++) {
    const address = load<usize>(slotAt(slot), 4);
    if (address == 0) continue;
    store<u64>(into, bswap<u64>(load<u64>(wordAt(changetype<WordEntry>(address)))));
    store<u64>(into, <u64>address, 8);
    into += 16;
  }
}

/** Adds a document, whose number is larger than those before it, or equal to the last one. Returns how often it has the word so far. */
export function addDocument(entry: WordEntry, document: i32): i32 {
  if (entry.size != 0) {
    if (entry.document == document) return ++entry.count;
    putDocument(entry, <u64>(<i64>document - <i64>entry.document));
  } else putDocument(entry, <u64>(<i64>document));
  entry.document = document;
  entry.count = 1;
  return 1;
}

function putDocument(entry: WordEntry, value: u64): void {
  if (value < 0x80) {
    putByte(entry, <u8>value);
    return;
  }
  if (entry.end - entry.at >= MAX_VARINT_BYTES) {
    const size = writeVarint(entry.at, value);
    entry.at += size;
    entry.size += <u32>size;
    return;
  }
  const length = writeVarint(varint, value);
  for (let index: usize = 0; index < length; index++) putByte(entry, load<u8>(varint + index));
}

function putByte(entry: WordEntry, byte: u8): void {
  if (entry.at == entry.end) addPiece(entry);
  store<u8>(entry.at, byte);
  entry.at++;
  entry.size++;
}

function addPiece(entry: WordEntry): void {
  const size = pieceSizeAfter(entry.size);
  const piece = take(size);
  // Behind each piece's bytes is the address of the next one.
  store<usize>(entry.end, piece);
  entry.at = piece;
  entry.end = piece + size - LINK;
}

function firstPiece(entry: WordEntry): usize {
  return wordAt(entry) + paddedLength(entry.length);
}

/** The size of the piece that begins behind `before` bytes of documents. */
function pieceSizeAfter(before: u32): usize {
  let size = MIN_PIECE;
  for (let at: usize = FIRST_SIZE; at < <usize>before; at += size - LINK, size = min(size * 2, MAX_PIECE)) {
    if (size == MAX_PIECE) break;
  }
  return size;
}

/** Copies the documents of an entry; the 16 bytes behind them may be changed. */
export function copyDocuments(entry: WordEntry, into: usize): void {
  let from = firstPiece(entry);
  let size = FIRST_SIZE;
  let left: usize = entry.size;
  if (left <= size) {
    v128.store(into, v128.load(from));
    return;
  }
  let next = MIN_PIECE;
  while (left > size) {
    memory.copy(into, from, size);
    into += size;
    left -= size;
    from = load<usize>(from + size);
    size = next - LINK;
    next = min(next * 2, MAX_PIECE);
  }
  memory.copy(into, from, left);
}
