/** Sorts words by their bytes: first by their first eight bytes, digit by digit, and then those that have the same ones. */
import { wordAt, WordEntry } from './wordEntries';

/** An item has a word's first bytes as a number, and its entry's address. */
const ITEM_SIZE: usize = 16;
/** The bytes of the numbers, and the values of a byte. */
const DIGITS: u32 = 8;
const VALUES: usize = 256;

/** For each digit and each of its values the number of items, and then the place of the next one. */
const places = heap.alloc(<usize>DIGITS * VALUES * 4);

/** Sorts `count` items at `from`; `room` has as much space. Returns the address of the sorted ones, which is one of both. */
export function sortWords(from: usize, room: usize, count: u32): usize {
  memory.fill(places, 0, <usize>DIGITS * VALUES * 4);
  for (let index: u32 = 0; index < count; index++) {
    const number = load<u64>(itemAt(from, index));
    for (let digit: u32 = 0; digit < DIGITS; digit++) {
      const at = placeOf(number, digit);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
  for (let digit: u32 = 0; digit < DIGITS; digit++) {
    let place: u32 = 0;
    const end = places + (<usize>digit + 1) * VALUES * 4;
    for (let at = end - VALUES * 4; at < end; at += 4) {
      const items = load<u32>(at);
      store<u32>(at, place);
      place += items;
    }
    for (let index: u32 = 0; index < count; index++) {
      const item = itemAt(from, index);
      const at = placeOf(load<u64>(item), digit);
      v128.store(itemAt(room, load<u32>(at)), v128.load(item));
      store<u32>(at, load<u32>(at) + 1);
    }
    const sorted = room;
    room = from;
    from = sorted;
  }
  sortEqual(from, room, count);
  return from;
}

/** The address of the place for items with this digit of a number, the last digit first. */
function placeOf(number: u64, digit: u32): usize {
  return places + <usize>digit * VALUES * 4 + (<usize>(number >> (<u64>digit * 8)) & 0xff) * 4;
}

/** Sorts the words that have the same first bytes. */
function sortEqual(items: usize, room: usize, count: u32): void {
  for (let low: u32 = 0; low < count;) {
    const number = load<u64>(itemAt(items, low));
    let high = low + 1;
    while (high < count && load<u64>(itemAt(items, high)) == number) high++;
    if (high - low > 1) mergeSort(itemAt(items, low), itemAt(room, low), high - low);
    low = high;
  }
}

/** Sorts items in their place. */
function mergeSort(items: usize, room: usize, count: u32): void {
  let from = items;
  for (let width: u32 = 1; width < count; width *= 2) {
    for (let low: u32 = 0; low < count; low += width * 2) mergeRuns(from, room, low, min(low + width, count), min(low + width * 2, count));
    const sorted = room;
    room = from;
    from = sorted;
  }
  if (from != items) memory.copy(items, from, <usize>count * ITEM_SIZE);
}

function mergeRuns(from: usize, into: usize, low: u32, middle: u32, high: u32): void {
  let left = itemAt(from, low);
  let right = itemAt(from, middle);
  const leftEnd = right;
  const rightEnd = itemAt(from, high);
  into = itemAt(into, low);
  for (; left < leftEnd && right < rightEnd; into += ITEM_SIZE) {
    if (isBefore(right, left)) {
      v128.store(into, v128.load(right));
      right += ITEM_SIZE;
    } else {
      v128.store(into, v128.load(left));
      left += ITEM_SIZE;
    }
  }
  memory.copy(into, left, leftEnd - left);
  memory.copy(into + (leftEnd - left), right, rightEnd - right);
}

function itemAt(items: usize, index: u32): usize {
  return items + <usize>index * ITEM_SIZE;
}

export function entryAt(items: usize, index: u32): WordEntry {
  return changetype<WordEntry>(load<usize>(itemAt(items, index), 8));
}

/** Compares words whose first bytes are the same. */
function isBefore(one: usize, other: usize): bool {
  const left = changetype<WordEntry>(load<usize>(one, 8));
  const right = changetype<WordEntry>(load<usize>(other, 8));
  const order = memory.compare(wordAt(left), wordAt(right), min(left.length, right.length));
  return order != 0 ? order < 0 : left.length < right.length;
}
