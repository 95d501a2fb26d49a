/** Numbers of JSON, as JavaScript reads them. */
import { MINUS, scalarEnd, DOT } from './json';
import { byteAt, isDigit, ZERO } from './strings';

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
