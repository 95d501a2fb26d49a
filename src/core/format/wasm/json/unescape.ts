/** The text of a JSON string, without its escapes. */
import { codeUnitAt } from './escapes';
import { BACKSLASH, byteAt, SPACE, stringEnd } from './strings';

/** Bytes that are written at a time, so there must be room for as many after the text. */
const BLOCK: usize = 16;

let textEnd: usize = 0;

/** Address after the text that was written last. */
export function unescapedEnd(): usize {
  return textEnd;
}

/**
 * Writes the text of a string to `target`, in UTF-8 and on one line: with a space instead of each line feed. It's never
 * longer than the string.
 *
 * @param at after the opening quote; a line break must follow the string
 * @returns the address of the closing quote; 0 if it's no string, or half of a surrogate pair
 */
export function unescape(at: usize, target: usize): usize {
  const end = stringEnd(at);
  if (end == 0) return 0;
  while (true) {
    const block = v128.load(at);
    v128.store(target, block);
    const mask = i8x16.bitmask(i8x16.eq(block, i8x16.splat(BACKSLASH)));
    if (mask == 0) {
      if (at + BLOCK > end) break;
      at += BLOCK;
      target += BLOCK;
      continue;
    }
    const plain = <usize>ctz(mask);
    if (at + plain >= end) break;
    at += plain;
    target += plain;
    const unit = codeUnitAt(at);
    const isLong = byteAt(at + 1) == 0x75;
    at += isLong ? 6 : 2;
    if (unit < 0x80) {
      store<u8>(target++, unit == 0x0a ? SPACE : <u8>unit);
    } else if (unit < 0x800) {
      store<u8>(target++, <u8>(0xc0 | (unit >> 6)));
      store<u8>(target++, continuation(unit));
    } else if ((unit & 0xf800) != 0xd800) {
      store<u8>(target++, <u8>(0xe0 | (unit >> 12)));
      store<u8>(target++, continuation(unit >> 6));
      store<u8>(target++, continuation(unit));
    } else {
      // A pair: the string is valid, so what follows a backslash is within it.
      if (unit >= 0xdc00 || byteAt(at) != BACKSLASH || byteAt(at + 1) != 0x75) return 0;
      const low = codeUnitAt(at);
      if ((low & 0xfc00) != 0xdc00) return 0;
      at += 6;
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
      store<u8>(target++, <u8>(0xf0 | (point >> 18)));
      store<u8>(target++, continuation(point >> 12));
      store<u8>(target++, continuation(point >> 6));
      store<u8>(target++, continuation(point));
    }
  }
  textEnd = target + (end - at);
  return end;
}

function continuation(bits: u32): u8 {
  return <u8>(0x80 | (bits & 0x3f));
}
