/**
 * Writes words and their documents as the leaf pages of an FTS5 segment without positions (`detail=none`). The format is
 * described at the top of FTS5's `fts5_index.c`: a header of the offsets of the first document and of the footer, words
 * without what they have in common with the word before, differences of documents, and a footer with the words' offsets.
 */
import { append, createBytes, GrowableBytes, reserve } from '../memory/memory';
import { appendInt } from '../memory/integers';
import { MAX_VARINT_BYTES, putVarint, readVarint, varintLength } from './varints';
import { copyDocuments, wordAt, WordEntry } from './wordEntries';

const HEADER_SIZE: usize = 4;
/** Precedes each word, as the index could have further ones of the beginnings of words. */
const PREFIX: u8 = 0x30;
const PREFIX_SIZE: usize = 1;

/** The pages that are being written, one behind the other, and where each ends. */
export const pages = createBytes(1024);
export const pageEnds = createBytes(256);
/** For each page that has the beginning of a word: its number, and the length of the beginning of its first word in `pageWords`. */
export const pageStarts = createBytes(256);
export const pageWords = createBytes(256);

const footer = createBytes(256);
const documents = createBytes(256);

let pageSize: usize = 0;
let number = 1;
let start: usize = 0;
let lastWordOffset: usize = 0;
let before: usize = 0;
let hasWord = false;
let hasDocument = false;

/** `size`: the size that FTS5 keeps pages below. */
export function beginPages(size: usize): void {
  pageSize = size;
  number = 1;
  before = 0;
  pages.size = pageEnds.size = pageStarts.size = pageWords.size = 0;
  beginPage();
}

/** Forgets the finished pages. */
export function dropPages(): void {
  memory.copy(pages.at, pages.at + start, offset());
  pages.size = offset();
  pageEnds.size = 0;
  start = 0;
}

function beginPage(): void {
  start = pages.size;
  store<u32>(reserve(pages, HEADER_SIZE), 0);
  pages.size += HEADER_SIZE;
  footer.size = 0;
  lastWordOffset = 0;
  hasWord = hasDocument = false;
}

function offset(): usize {
  return pages.size - start;
}

function isFull(more: usize): bool {
  return offset() + footer.size + more >= pageSize;
}

function setHeader(at: usize, value: usize): void {
  store<u16>(pages.at + start + at, bswap<u16>(<u16>value));
}

function finishPage(): void {
  setHeader(2, offset());
  memory.copy(reserve(pages, footer.size), footer.at, footer.size);
  pages.size += footer.size;
  reserve(pageEnds, 4);
  appendInt(pageEnds, <i32>pages.size);
  number++;
}

export function finishLastPage(): void {
  if (offset() > HEADER_SIZE) {
    finishPage();
    start = pages.size;
  }
}

function turnPage(): void {
  finishPage();
  beginPage();
}

/** Appends a word with its documents. */
export function putEntry(entry: WordEntry): void {
  putWord(entry);
  reserve(pages, entry.size);
  if (offset() + footer.size + entry.size + 1 <= pageSize) {
    copyDocuments(entry, pages.at + pages.size);
    pages.size += entry.size;
  } else putDocuments(entry);
}

function putWord(entry: WordEntry): void {
  const length = PREFIX_SIZE + <usize>entry.length;
  if (isFull(length + 2) && offset() > HEADER_SIZE) turnPage();
  reserve(footer, MAX_VARINT_BYTES);
  putVarint(footer, offset() - lastWordOffset);
  lastWordOffset = offset();
  const common = before != 0 ? commonLength(changetype<WordEntry>(before), entry) : 0;
  before = changetype<usize>(entry);
  reserve(pages, length + 2 * MAX_VARINT_BYTES);
  if (hasWord) {
    putVarint(pages, PREFIX_SIZE + common);
    putVarint(pages, <usize>entry.length - common);
    append(pages, wordAt(entry) + common, <usize>entry.length - common);
    return;
  }
  // The page is found by as much of its first word as tells it from the word before.
  if (number != 1) putStart(entry, common + 1);
  putVarint(pages, length);
  putPrefix(pages);
  append(pages, wordAt(entry), entry.length);
  hasWord = true;
}

function putStart(entry: WordEntry, length: usize): void {
  reserve(pageStarts, 8);
  appendInt(pageStarts, number);
  appendInt(pageStarts, <i32>(PREFIX_SIZE + length));
  reserve(pageWords, PREFIX_SIZE + length);
  putPrefix(pageWords);
  append(pageWords, wordAt(entry), length);
}

function putPrefix(bytes: GrowableBytes): void {
  store<u8>(bytes.at + bytes.size, PREFIX);
  bytes.size += PREFIX_SIZE;
}

function commonLength(one: WordEntry, other: WordEntry): usize {
  const limit = <usize>min(one.length, other.length);
  for (let at: usize = 0; at < limit; at += 16) {
    const isSame = i8x16.bitmask(i8x16.eq(v128.load(wordAt(one) + at), v128.load(wordAt(other) + at)));
    if (isSame != 0xffff) return min(limit, at + <usize>ctz(~isSame));
  }
  return limit;
}

/** Puts documents that don't fit on the page. The first one of each page is stored as it is, the others as differences. */
function putDocuments(entry: WordEntry): void {
  documents.size = 0;
  copyDocuments(entry, reserve(documents, entry.size));
  let document: u64 = 0;
  const end = documents.at + entry.size;
  for (let at = documents.at; at < end; at += varintLength) {
    const difference = readVarint(at);
    document += difference;
    reserve(pages, MAX_VARINT_BYTES);
    if (hasWord || hasDocument) putVarint(pages, difference);
    else {
      setHeader(0, offset());
      putVarint(pages, document);
    }
    hasDocument = true;
    if (isFull(0)) turnPage();
  }
}
