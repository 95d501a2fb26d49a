/** Texts of ASCII, which the index splits into words itself. */
import { codeUnitAt } from '../json/escapes';
import { GrowableBytes, reserve } from '../memory/memory';
import { BACKSLASH, byteAt, SPACE } from '../json/strings';

/** True if the last text has only white space. */
export let isPlainBlank = true;
/** False if the last text has a character above ASCII. */
export let isPlainText = true;

/** Appends a JSON string, given without its quotes, without escapes; there is room for another byte after it. Returns false if it isn't ASCII. */
export function putPlain(words: GrowableBytes, from: usize, to: usize): bool {
  let into = reserve(words, to - from + 1);
  isPlainText = isPlainBlank = true;
  const backslashes = i8x16.splat(BACKSLASH);
  for (let at = from; at < to; at++) {
    // Bytes that are written after the text are overwritten, or aren't read.
    for (; !isPlainBlank; into += 16, at += 16) {
      const bytes = v128.load(at);
      v128.store(into, bytes);
      const isSpecial = i8x16.bitmask(v128.or(bytes, i8x16.eq(bytes, backslashes)));
      const count = min(<usize>ctz(isSpecial | 0x10000), to - at);
      if (count == 16) continue;
      into += count;
      at += count;
      break;
    }
    if (at == to) break;
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
