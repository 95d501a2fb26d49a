/** The words of texts that the caller has read itself. */
import { NONE } from '../../scanner/scannerLayout';
import { putFolded } from './foldedText';
import { createBytes, resetWithCapacity } from '../memory/memory';

const text = createBytes(1024);
/** The words of the last text. */
export const givenWords = createBytes(1024);

/** Returns the address for `size` bytes of a text. */
export function reserveText(size: usize): usize {
  resetWithCapacity(text, size);
  return text.at;
}

/** Splits and folds the words of a JSON string at the address of `reserveText`. Returns 0, or `NONE` where a word can't be folded by its characters. */
export function foldText(size: usize): i32 {
  givenWords.size = 0;
  return putFolded(givenWords, text.at, text.at + size) ? 0 : NONE;
}
