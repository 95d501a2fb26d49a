/**
 * A reader of compact JSON in memory, without white space between values. A line break must follow the text: every
 * function stops there. A result of 0 means that the text isn't JSON, or is left to the parser.
 */
import { byteAt, isDigit, QUOTE, stringEnd, ZERO } from './strings';

export const COMMA: u8 = 0x2c;
export const COLON: u8 = 0x3a;
export const OPEN_BRACE: u8 = 0x7b;
export const CLOSE_BRACE: u8 = 0x7d;
export const OPEN_BRACKET: u8 = 0x5b;
export const CLOSE_BRACKET: u8 = 0x5d;
export const NEWLINE: u8 = 10;
const MINUS: u8 = 0x2d;
const PLUS: u8 = 0x2b;
const DOT: u8 = 0x2e;
/** One bit of a 64-bit integer per level. */
const MAX_DEPTH = 63;

/** Returns the end of the value at `at`. */
export function valueEnd(at: usize): usize {
  let depth = 0;
  /** One bit per level: set if it is an object. */
  let objects: u64 = 0;
  while (true) {
    const byte = byteAt(at);
    if (byte == OPEN_BRACE || byte == OPEN_BRACKET) {
      const isObject = byte == OPEN_BRACE;
      if (byteAt(at + 1) == (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) at += 2;
      else {
        if (++depth > MAX_DEPTH) return 0;
        objects = (objects << 1) | u64(isObject);
        at = isObject ? keyEnd(at + 1) : at + 1;
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
    for (; depth > 0 && byteAt(at) == (objects & 1 ? CLOSE_BRACE : CLOSE_BRACKET); at++) {
      depth--;
      objects >>= 1;
    }
    if (depth == 0) return at;
    if (byteAt(at) != COMMA) return 0;
    at = objects & 1 ? keyEnd(at + 1) : at + 1;
    if (at == 0) return 0;
  }
}

/** Returns the position after a key and its colon. */
function keyEnd(at: usize): usize {
  if (byteAt(at) != QUOTE) return 0;
  const close = stringEnd(at + 1);
  return close != 0 && byteAt(close + 1) == COLON ? close + 2 : 0;
}

function scalarEnd(at: usize): usize {
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

/** Integers of up to this many digits are exact in a float, and dividing one by a power of ten rounds correctly. */
const EXACT_DIGITS = 15;
const POWERS: StaticArray<f64> = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/** End of the number that was read last. */
export let numberEnd: usize = 0;

/** Imported: parses a number as JavaScript does. */
declare function toNumber(from: usize, to: usize): f64;

/** Returns the number at `at`, and sets `numberEnd`; `NaN` if there is none. */
export function numberAt(at: usize): f64 {
  const from = at;
  let value: i64 = 0;
  for (; isDigit(byteAt(at)); at++) value = value * 10 + (byteAt(at) - ZERO);
  const whole = <i32>(at - from);
  let fraction = 0;
  if (whole > 0 && byteAt(at) == DOT) {
    const point = at++;
    for (; isDigit(byteAt(at)); at++) value = value * 10 + (byteAt(at) - ZERO);
    fraction = <i32>(at - point) - 1;
  }
  const isExact = whole > 0 && whole + fraction <= EXACT_DIGITS && (byteAt(at) | 0x20) != 0x65;
  if (isExact && (whole == 1 || byteAt(from) != ZERO) && (fraction > 0 || at == from + whole)) {
    numberEnd = at;
    return <f64>value / unchecked(POWERS[fraction]);
  }
  numberEnd = isDigit(byteAt(from)) || byteAt(from) == MINUS ? scalarEnd(from) : 0;
  return numberEnd == 0 ? NaN : toNumber(from, numberEnd);
}

/** Returns the milliseconds since 1970 of a timestamp of exactly the form `2026-01-02T08:01:03.000Z"`; -1 for any other. */
export function timestampAt(at: usize): f64 {
  const year = digits(at, 4);
  const month = digits(at + 5, 2);
  const day = digits(at + 8, 2);
  const hours = digits(at + 11, 2);
  const minutes = digits(at + 14, 2);
  const seconds = digits(at + 17, 2);
  const milliseconds = digits(at + 20, 3);
  if ((year | month | day | hours | minutes | seconds | milliseconds) < 0) return -1;
  if (
    byteAt(at + 4) != MINUS ||
    byteAt(at + 7) != MINUS ||
    byteAt(at + 10) != 0x54 ||
    byteAt(at + 13) != COLON ||
    byteAt(at + 16) != COLON ||
    byteAt(at + 19) != DOT
  )
    return -1;
  if (byteAt(at + 23) != 0x5a || byteAt(at + 24) != QUOTE) return -1;
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month) || hours > 23 || minutes > 59 || seconds > 59)
    return -1;
  return <f64>(daysBefore(year, month) + day - 1) * 86400000 + <f64>(((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds);
}

/** Returns -1 if they aren't all digits. */
function digits(at: usize, count: i32): i32 {
  let value = 0;
  for (let index = 0; index < count; index++) {
    const byte = byteAt(at + index);
    if (!isDigit(byte)) return -1;
    value = value * 10 + (byte - ZERO);
  }
  return value;
}

function isLeap(year: i32): bool {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

const MONTHS: StaticArray<i32> = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Days of a year before each month. */
const BEFORE: StaticArray<i32> = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

function daysOf(year: i32, month: i32): i32 {
  return month == 2 && isLeap(year) ? 29 : unchecked(MONTHS[month - 1]);
}

/** Days from 1970 to the first of a month. */
function daysBefore(year: i32, month: i32): i32 {
  const past = year - 1;
  const leapDays = past / 4 - past / 100 + past / 400 - 477;
  return (year - 1970) * 365 + leapDays + unchecked(BEFORE[month - 1]) + i32(month > 2 && isLeap(year));
}
