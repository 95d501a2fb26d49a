/** Sorts words by their bytes. */
import { wordAt, WordEntry } from './wordEntries';

/** An item has a word's first bytes as a number, and its entry's address. */
const ITEM_SIZE: usize = 16;

/** Sorts `count` items at `from`; `room` has as much space. Returns the address of the sorted ones, which is one of both. */
export function sortWords(from: usize, room: usize, count: u32): usize {
  for (let width: u32 = 1; width < count; width *= 2) {
    for (let low: u32 = 0; low < count; low += width * 2) mergeRuns(from, room, low, min(low + width, count), min(low + width * 2, count));
    const sorted = room;
    room = from;
    from = sorted;
  }
  return from;
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

const itemAt = (items: usize, index: u32): usize => items + <usize>index * ITEM_SIZE;

export const entryAt = (items: usize, index: u32): WordEntry => changetype<WordEntry>(load<usize>(itemAt(items, index), 8));

function isBefore(one: usize, other: usize): bool {
  const first = load<u64>(one);
  const second = load<u64>(other);
  if (first != second) return first < second;
  const left = changetype<WordEntry>(load<usize>(one, 8));
  const right = changetype<WordEntry>(load<usize>(other, 8));
  const order = memory.compare(wordAt(left), wordAt(right), min(left.length, right.length));
  return order != 0 ? order < 0 : left.length < right.length;
}
