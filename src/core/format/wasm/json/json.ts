/**
 * A reader of JSON in memory. A line break must follow the text: every function stops there. A result of 0 means that
 * the text isn't JSON, or is left to the parser.
 */
import { byteAt, isDigit, QUOTE, SPACE, stringEnd, ZERO } from './strings';

export const COMMA: u8 = 0x2c;
export const COLON: u8 = 0x3a;
export const OPEN_BRACE: u8 = 0x7b;
export const CLOSE_BRACE: u8 = 0x7d;
export const OPEN_BRACKET: u8 = 0x5b;
export const CLOSE_BRACKET: u8 = 0x5d;
export const NEWLINE: u8 = 10;
export const MINUS: u8 = 0x2d;
const PLUS: u8 = 0x2b;
export const DOT: u8 = 0x2e;
/** One bit of a 64-bit integer per level. */
const MAX_DEPTH = 63;
const TAB: u8 = 9;
const RETURN: u8 = 13;

/** Returns the position after white space. A line break isn't part of it. */
// @ts-ignore: decorator
@inline
export function skipSpace(at: usize): usize {
  return byteAt(at) > SPACE ? at : spaceEnd(at);
}

function spaceEnd(at: usize): usize {
  while (byteAt(at) == SPACE || byteAt(at) == TAB || byteAt(at) == RETURN) at++;
  return at;
}

/** Returns the end of the value at `at`, which must not be white space. */
export function valueEnd(at: usize): usize {
  let depth = 0;
  /** One bit per level: set if it is an object. */
  let objects: u64 = 0;
  while (true) {
    const byte = byteAt(at);
    if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
      const isObject = byte == OPEN_BRACE;
      at = skipSpace(at + 1);
      if (byteAt(at) == (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) at++;
      else {
        if (++depth > MAX_DEPTH) return 0;
        objects = (objects << 1) | u64(isObject);
        if (isObject) at = keyEnd(at);
        if (at == 0) return 0;
        continue;
      }
    } else if (byte == QUOTE) {
      at = stringEnd(at + 1);
      if (at == 0) return 0;
      at++;
    } else {
      at = scalarEnd(at);
      if (at == 0) return 0;
    }
    if (depth == 0) return at;
    at = skipSpace(at);
    while (byteAt(at) == (objects & 1 ? CLOSE_BRACE : CLOSE_BRACKET)) {
      at++;
      objects >>= 1;
      if (--depth == 0) return at;
      at = skipSpace(at);
    }
    if (byteAt(at) != COMMA) return 0;
    at = skipSpace(at + 1);
    if (objects & 1) at = keyEnd(at);
    if (at == 0) return 0;
  }
}

/** Returns the position of the value after a key. */
function keyEnd(at: usize): usize {
  if (byteAt(at) != QUOTE) return 0;
  const close = stringEnd(at + 1);
  if (close == 0) return 0;
  at = skipSpace(close + 1);
  return byteAt(at) == COLON ? skipSpace(at + 1) : 0;
}

/** Returns the end of a number, `true`, `false` or `null`. */
export function scalarEnd(at: usize): usize {
  const four = load<u32>(at);
  // true, null, fals
  if (four == 0x65757274 || four == 0x6c6c756e) return at + 4;
  if (four == 0x736c6166) return byteAt(at + 4) == 0x65 ? at + 5 : 0;
  if (byteAt(at) == MINUS) at++;
  const whole = digitsEnd(at);
  if (whole == at || (byteAt(at) == ZERO && whole > at + 1)) return 0;
  at = whole;
  if (byteAt(at) == DOT) {
    const fraction = digitsEnd(at + 1);
    if (fraction == at + 1) return 0;
    at = fraction;
  }
  if ((byteAt(at) | 0x20) != 0x65) return at;
  at += byteAt(at + 1) == PLUS || byteAt(at + 1) == MINUS ? 2 : 1;
  const exponent = digitsEnd(at);
  return exponent == at ? 0 : exponent;
}

function digitsEnd(at: usize): usize {
  while (isDigit(byteAt(at))) at++;
  return at;
}
