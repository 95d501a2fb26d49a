/** The words of the current message. */
import { isFoldedBlank, putFolded } from './foldedText';
import { NEWLINE } from '../json/json';
import { isPlainBlank, putPlain } from './plainText';
import { words } from '../memory/storage';

/** True if the words have a character that isn't white space. */
export let hasWords = false;
let isFolded = false;

/** Begins a message. `folded`: its texts are split into words and folded here, because the index does that for ASCII only. */
export function beginWords(folded: bool): void {
  isFolded = folded;
  hasWords = false;
}

/** Appends a JSON string, given without its quotes, and a line break. Returns false if it has to be read in another way. */
export function putText(from: usize, to: usize): bool {
  if (from == to) return true;
  if (!(isFolded ? putFolded(words, from, to) : putPlain(words, from, to))) return false;
  if (!(isFolded ? isFoldedBlank : isPlainBlank)) hasWords = true;
  store<u8>(words.at + words.size, NEWLINE);
  words.size++;
  return true;
}
