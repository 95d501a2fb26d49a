/** Texts of ASCII, which the index splits into words itself. */
import { codeUnitAt } from '../json/escapes';
import { GrowableBytes, reserve } from '../memory/memory';
import { BACKSLASH, byteAt, SPACE } from '../json/strings';

/** True if the last text has only white space. */
export let isPlainBlank = true;
/** False if the last text has a character above ASCII. */
export let isPlainText = true;

/** Appends a JSON string, given without its quotes, without escapes; there is room for another byte behind it. Returns false if it isn't ASCII. */
export function putPlain(words: GrowableBytes, from: usize, to: usize): bool {
  let into = reserve(words, to - from + 1);
  isPlainText = isPlainBlank = true;
  for (let at = from; at < to; at++) {
    let unit = <u32>byteAt(at);
    if (unit == BACKSLASH) {
      unit = codeUnitAt(at);
      at += byteAt(at + 1) == 0x75 ? 5 : 1;
    }
    if (unit >= 0x80) {
      isPlainText = false;
      return false;
    }
    if (isPlainBlank) isPlainBlank = unit == SPACE || (unit >= 9 && unit <= 13);
    store<u8>(into++, <u8>unit);
  }
  words.size = into - words.at;
  return true;
}
