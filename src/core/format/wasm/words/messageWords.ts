/** The words of the current message. */
import { isFoldedBlank, putFolded } from './foldedText';
import { NEWLINE } from '../json/json';
import { isNonBlank } from '../json/whiteSpace';
import { append, reserve } from '../memory/memory';
import { isPlainBlank, putPlain } from './plainText';
import { words } from '../memory/storage';

/** The treatment of a message's texts. */
export enum Texts {
  /** They are ASCII, which the index splits and folds. */
  plain = 0,
  /** They are split into words and folded here. */
  folded = 1,
  /** It is noted whether there are any: by one byte. */
  noted = 2,
}

/** `READ_WORD` in `catalog/index/lineText.ts`, and a line break. */
const READ_MARK_BYTES: usize = 5;
const READ_MARK = memory.data<u8>([0xc2, 0xb7, 0xc2, 0xb7, 10]);

/** True if the words have a character that isn't white space. */
export let hasWords = false;
let treatment: i32 = Texts.plain;

/** Begins a message. */
export function beginWords(texts: i32): void {
  treatment = texts;
  hasWords = false;
}

/** Appends a JSON string, given without its quotes, and a line break. Returns false if it has to be read in another way. */
export function putText(from: usize, to: usize): bool {
  if (from == to) return true;
  if (treatment == Texts.noted) {
    noteText(from, to);
    return true;
  }
  const isFolded = treatment == Texts.folded;
  if (!(isFolded ? putFolded(words, from, to) : putPlain(words, from, to))) return false;
  if (!(isFolded ? isFoldedBlank : isPlainBlank)) hasWords = true;
  store<u8>(words.at + words.size, NEWLINE);
  words.size++;
  return true;
}

/** Marks the message as one that the model read, if it has words. */
export function putReadMark(): void {
  if (treatment == Texts.noted || !hasWords) return;
  append(words, READ_MARK, READ_MARK_BYTES);
}

function noteText(from: usize, to: usize): void {
  if (hasWords || !isNonBlank(from, to)) return;
  hasWords = true;
  store<u8>(reserve(words, 1), NEWLINE);
  words.size++;
}
