/**
 * Collects the words of texts, and writes them as the pages of a segment of FTS5. Used in a program of its own, so that
 * its memory can be given back. `scanner/segmentBuilder.ts` is the only caller and keeps the order of calls.
 */
import { SegmentPart } from '../../scanner/segmentLayout';
import { BLOCK } from '../json/strings';
import { createBytes, GrowableBytes, resetWithCapacity } from '../memory/memory';
import { freeAll, takenBytes } from './arena';
import { beginPages, dropPages, finishLastPage, pageEnds, pages, pageStarts, pageWords, putEntry } from './leafPages';
import { entryAt, sortWords } from './sortWords';
import { countWords, setSeed } from './texts';
import { beginWordEntries, listEntries, wordCount } from './wordEntries';

const texts = createBytes(1024);
let lists: usize = 0;
let sorted: usize = 0;
let next: u32 = 0;

/** Begins a segment. `seed`: a random number, for the hashes. */
export function beginSegment(seed: f64): void {
  setSeed(seed);
  beginWordEntries();
}

/** Returns the address for `size` bytes of texts. */
export function reserveTexts(size: usize): usize {
  resetWithCapacity(texts, size + BLOCK);
  return texts.at;
}

/**
 * Adds texts, the last one first. At the address of `reserveTexts` there are three integers for each: its document, whose
 * number is larger than those that were added before, and its start and end in the bytes that follow. The number of its
 * words with the marked ones takes the place of its start.
 */
export function addTexts(count: u32): void {
  const bytes = texts.at + <usize>count * 12;
  for (let at = bytes - 12; at >= texts.at; at -= 12)
    store<u32>(at, countWords(load<i32>(at), bytes + load<u32>(at, 4), bytes + load<u32>(at, 8)), 4);
}

/** The bytes of memory that the words take. */
export function segmentSize(): usize {
  return takenBytes();
}

/** Sorts the words. `pageSize`: the size that FTS5 keeps pages below. */
export function sortSegment(pageSize: usize): void {
  const size = <usize>wordCount * 16;
  lists = heap.alloc(size * 2);
  listEntries(lists);
  sorted = sortWords(lists, lists + size, wordCount);
  next = 0;
  beginPages(pageSize);
}

/** Writes the next pages, about as many bytes as are given. Returns true if there are more. */
export function writePages(bytes: usize): bool {
  dropPages();
  while (next < wordCount && pages.size < bytes) putEntry(entryAt(sorted, next++));
  if (next < wordCount) return true;
  finishLastPage();
  return false;
}

/** Frees the memory of the words. */
export function endSegment(): void {
  heap.free(lists);
  freeAll();
}

/** Returns the address of the `GrowableBytes` of a `SegmentPart`. */
export function segmentPart(which: i32): usize {
  return changetype<usize>(partBytes(which));
}

function partBytes(which: i32): GrowableBytes {
  switch (which) {
    case SegmentPart.pages:
      return pages;
    case SegmentPart.pageEnds:
      return pageEnds;
    case SegmentPart.pageStarts:
      return pageStarts;
    default:
      return pageWords;
  }
}
