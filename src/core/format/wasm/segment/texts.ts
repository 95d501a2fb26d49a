/** Splits texts into words as FTS5's tokenizer `ascii` does, and counts them. */
import { REPEATED_MARK_CODE, REPEATED_TIMES } from '../../scanner/segmentLayout';
import { addDocument, longEntry, prepareEntry, shortEntry, WordEntry } from './wordEntries';

/** FTS5 cuts longer words. */
const MAX_WORD: u32 = 32768;
/** Precedes a repeated word, in UTF-8. */
const MARK: u32 = 0x80c0 | (REPEATED_MARK_CODE >> 6) | ((REPEATED_MARK_CODE & 0x3f) << 8);
const MARK_SIZE: u32 = 2;

/** For words of sixteen bytes and more, with the mark. */
const room = heap.alloc(MAX_WORD + MARK_SIZE + 16);

/** Sixteen bytes from `16 - length` on select the first `length` bytes of a word. */
const SELECTION = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);

/** Words that are looked up together: a processor loads their entries at the same time only if nothing else is between. */
const MAX_WAITING: u32 = 64;
/** Numbers of a waiting word: its position, its length and its hash. */
const WAITING_SIZE: usize = 12;
const waiting = heap.alloc(<usize>MAX_WAITING * WAITING_SIZE);
let waitingCount: u32 = 0;

let seed: u64 = 0;
let document = 0;
let tokens: u32 = 0;

/** `value`: a random number, so that no session can hold words whose hashes are equal. */
export function setSeed(value: f64): void {
  seed = reinterpret<u64>(value) * 0x9e3779b97f4a7c15;
}

/** Adds the words of a text, which is folded in place; the 64 bytes behind it may be changed. Returns the number of words, with the marked ones. */
export function countWords(number: i32, from: usize, to: usize): u32 {
  document = number;
  tokens = 0;
  let start: usize = 0;
  for (let at = from; at < to; at += 64) {
    let bits = foldBlock(at);
    if (to - at < 64) bits &= ((<u64>1) << (<u64>(to - at))) - 1;
    let position: u64 = 0;
    for (;;) {
      if (start == 0) {
        const left = bits >> position;
        if (left == 0) break;
        position += ctz(left);
        start = at + <usize>position;
      }
      const gaps = ~bits >> position;
      if (gaps == 0) break;
      position += ctz(gaps);
      if (position >= 64) break;
      addWord(start, <u32>(at + <usize>position - start));
      start = 0;
    }
  }
  if (start != 0) addWord(start, <u32>(to - start));
  addWaiting();
  return tokens;
}

/** Makes ASCII letters of a block small. Returns one bit per byte, set for those of words. */
function foldBlock(at: usize): u64 {
  const low = <u32>foldSixteen(at) | ((<u32>foldSixteen(at + 16)) << 16);
  const high = <u32>foldSixteen(at + 32) | ((<u32>foldSixteen(at + 48)) << 16);
  return ((<u64>high) << 32) | low;
}

function foldSixteen(at: usize): i32 {
  const bytes = v128.load(at);
  const isCapital = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  const folded = v128.or(bytes, v128.and(isCapital, i8x16.splat(0x20)));
  v128.store(at, folded);
  const isLetter = i8x16.lt_u(i8x16.sub(folded, i8x16.splat(0x61)), i8x16.splat(26));
  const isDigit = i8x16.lt_u(i8x16.sub(folded, i8x16.splat(0x30)), i8x16.splat(10));
  // Bytes above ASCII have the highest bit, which is all that the mask looks at.
  return i8x16.bitmask(v128.or(v128.or(isLetter, isDigit), folded));
}

function addWord(at: usize, length: u32): void {
  if (length > 16) {
    const size = min(length, MAX_WORD);
    memory.copy(room, at, size);
    addToEntry(entryInRoom(size), at, length);
    return;
  }
  const into = waiting + <usize>waitingCount * WAITING_SIZE;
  store<usize>(into, at);
  store<u32>(into, length, 4);
  store<u32>(into, hashOf(seed, wordBytes(at, length)), 8);
  if (++waitingCount == MAX_WAITING) addWaiting();
}

function wordBytes(at: usize, length: u32): v128 {
  return v128.and(v128.load(at), v128.load(SELECTION + 16 - <usize>length));
}

/** Adds the words that wait. */
function addWaiting(): void {
  const end = waiting + <usize>waitingCount * WAITING_SIZE;
  for (let item = waiting; item < end; item += WAITING_SIZE) prepareEntry(load<u32>(item, 8));
  for (let item = waiting; item < end; item += WAITING_SIZE) {
    const at = load<usize>(item);
    const length = load<u32>(item, 4);
    addToEntry(shortEntry(wordBytes(at, length), length, load<u32>(item, 8)), at, length);
  }
  waitingCount = 0;
}

function addToEntry(entry: WordEntry, at: usize, length: u32): void {
  tokens++;
  if (addDocument(entry, document) != REPEATED_TIMES) return;
  tokens++;
  if (entry.marked == 0) entry.marked = changetype<usize>(markedEntry(at, length));
  addDocument(changetype<WordEntry>(entry.marked), document);
}

/** Finds the word of a certain length that was copied. */
function entryInRoom(length: u32): WordEntry {
  v128.store(room + length, i8x16.splat(0));
  let hash = seed;
  for (let at: usize = 0; at < <usize>length; at += 16) hash = ((<u64>hashOf(hash, v128.load(room + at))) << 32) ^ seed ^ <u64>at;
  return longEntry(room, length, <u32>(hash >> 32));
}

function markedEntry(at: usize, length: u32): WordEntry {
  store<u16>(room, <u16>MARK);
  memory.copy(room + MARK_SIZE, at, min(length, MAX_WORD - MARK_SIZE));
  const marked = min(length + MARK_SIZE, MAX_WORD);
  if (marked > 16) return entryInRoom(marked);
  v128.store(room + marked, i8x16.splat(0));
  const word = v128.load(room);
  return shortEntry(word, marked, hashOf(seed, word));
}

function hashOf(start: u64, bytes: v128): u32 {
  let hash = (v128.extract_lane<u64>(bytes, 0) ^ start) * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 32) ^ v128.extract_lane<u64>(bytes, 1)) * 0xc2b2ae3d27d4eb4f;
  return <u32>(hash >> 32);
}
