/** Characters of JSON strings: UTF-8, and escapes. */
import { codeUnitAt } from '../json/escapes';
import { BACKSLASH, byteAt } from '../json/strings';

/** Stands for bytes that aren't UTF-8, as in JavaScript. */
const REPLACEMENT: u32 = 0xfffd;

/** The bytes of the character that was read last. */
export let characterSize: usize = 1;

/** Returns the code point of the character at `at` in a string that ends at `to`. A half of a surrogate pair stands for itself. */
export function readCharacter(at: usize, to: usize): u32 {
  const byte = byteAt(at);
  if (byte == BACKSLASH) return readEscape(at, to);
  characterSize = 1;
  if (byte < 0x80) return byte;
  const size: usize = byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
  // Each byte of an invalid sequence counts as a separate character: none is part of a word.
  if (size == 0 || at + size > to) return REPLACEMENT;
  let code: u32 = byte;
  code &= 0xff >> (<u32>size + 1);
  for (let index: usize = 1; index < size; index++) {
    const next = byteAt(at + index);
    if ((next & 0xc0) != 0x80) return REPLACEMENT;
    code = (code << 6) | (next & 0x3f);
  }
  const isLonger = size == 3 ? code < 0x800 : size == 4 && code < 0x10000;
  if (isLonger || code > 0x10ffff || isSurrogate(code)) return REPLACEMENT;
  characterSize = size;
  return code;
}

function readEscape(at: usize, to: usize): u32 {
  const unit = codeUnitAt(at);
  characterSize = byteAt(at + 1) == 0x75 ? 6 : 2;
  if (unit < 0xd800 || unit >= 0xdc00 || at + 12 > to || byteAt(at + 6) != BACKSLASH || byteAt(at + 7) != 0x75) return unit;
  const low = codeUnitAt(at + 6);
  if (low < 0xdc00 || low >= 0xe000) return unit;
  characterSize = 12;
  return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

function isSurrogate(code: u32): bool {
  return code >= 0xd800 && code < 0xe000;
}
