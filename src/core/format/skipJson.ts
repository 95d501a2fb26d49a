/** Passing over a value of JSON by its bytes. */
import type { StringEnds } from './stringEnds';

const [QUOTE, COMMA, MINUS, DOT, ZERO, NINE, COLON] = [0x22, 0x2c, 0x2d, 0x2e, 0x30, 0x39, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const WORDS = ['true', 'false', 'null'].map((word) => new TextEncoder().encode(word));
/** As many levels as an integer has bits. */
const DEEPEST = 31;

/**
 * Where a value ends that begins at `at`. -1 if it is no JSON or does not end before `end`, and for what programs do
 * not write: space between values, levels by the dozen. Behind `end` there must be a line break, or nothing.
 */
export function valueEnd(text: StringEnds, at: number, end: number): number {
  const { bytes } = text;
  let depth = 0;
  /** A bit for each level: whether it is an object. */
  let objects = 0;
  for (;;) {
    const byte = bytes[at];
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      const isObject = byte === OPEN_BRACE;
      if (bytes[at + 1] === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) at += 2;
      else {
        if (++depth > DEEPEST) return -1;
        objects = (objects << 1) | Number(isObject);
        at = isObject ? keyEnd(text, at + 1, end) : at + 1;
        if (at < 0) return -1;
        continue;
      }
    } else at = byte === QUOTE ? text.of(at + 1, end) + 1 || -1 : scalarEnd(bytes, at);
    if (at < 0) return -1;
    for (; depth > 0 && bytes[at] === ((objects & 1) === 1 ? CLOSE_BRACE : CLOSE_BRACKET); at++) {
      depth--;
      objects >>>= 1;
    }
    if (depth === 0) return at;
    if (bytes[at] !== COMMA) return -1;
    at = (objects & 1) === 1 ? keyEnd(text, at + 1, end) : at + 1;
    if (at < 0) return -1;
  }
}

/** Behind a key and its colon. */
function keyEnd(text: StringEnds, at: number, end: number): number {
  if (text.bytes[at] !== QUOTE) return -1;
  const close = text.of(at + 1, end);
  return close >= 0 && text.bytes[close + 1] === COLON ? close + 2 : -1;
}

function scalarEnd(bytes: Uint8Array, at: number): number {
  const word = WORDS.find((each) => each.every((byte, index) => bytes[at + index] === byte));
  if (word) return at + word.length;
  let place = bytes[at] === MINUS ? at + 1 : at;
  const whole = digitsEnd(bytes, place);
  if (whole === place || (bytes[place] === ZERO && whole > place + 1)) return -1;
  place = whole;
  if (bytes[place] === DOT) {
    const fraction = digitsEnd(bytes, place + 1);
    if (fraction === place + 1) return -1;
    place = fraction;
  }
  if ((bytes[place]! | 0x20) !== 0x65) return place;
  place += bytes[place + 1] === 0x2b || bytes[place + 1] === MINUS ? 2 : 1;
  const exponent = digitsEnd(bytes, place);
  return exponent === place ? -1 : exponent;
}

function digitsEnd(bytes: Uint8Array, at: number): number {
  let place = at;
  while (bytes[place]! >= ZERO && bytes[place]! <= NINE) place++;
  return place;
}
