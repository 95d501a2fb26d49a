/** Numbers of JSON, as JavaScript reads them. */
import { decimalFraction, MAX_FRACTION } from './decimals';
import { DOT, MINUS, scalarEnd } from './json';
import { byteAt, isDigit, ZERO } from './strings';

/** Integers of up to this many digits are exact in a float, and dividing one by a power of ten rounds correctly. */
const EXACT_DIGITS = 15;
/** Integers of up to this many digits fit into 64 bits. */
const LONG_DIGITS = 19;
const POWERS: StaticArray<f64> = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/** End of the number that was read last. */
export let numberEnd: usize = 0;

/** Imported: parses a number as JavaScript does. */
declare function toNumber(from: usize, to: usize): f64;

/** Returns the number at `at`, and sets `numberEnd`; `NaN` if there is none. */
export function numberAt(at: usize): f64 {
  const from = at;
  let value: u64 = 0;
  for (; isDigit(byteAt(at)); at++) value = value * 10 + (byteAt(at) - ZERO);
  const whole = <i32>(at - from);
  /** Digits from the first one that isn't 0. */
  let digits = whole == 1 && value == 0 ? 0 : whole;
  let fraction = 0;
  if (whole > 0 && byteAt(at) == DOT) {
    const point = at++;
    for (; isDigit(byteAt(at)); at++) {
      value = value * 10 + (byteAt(at) - ZERO);
      if (digits > 0 || value != 0) digits++;
    }
    fraction = <i32>(at - point) - 1;
  }
  const isSimple = whole > 0 && (byteAt(at) | 0x20) != 0x65 && (whole == 1 || byteAt(from) != ZERO) && (fraction > 0 || at == from + whole);
  if (isSimple) {
    numberEnd = at;
    if (digits <= EXACT_DIGITS && fraction <= EXACT_DIGITS) return <f64>value / unchecked(POWERS[fraction]);
    if (fraction > 0 && digits <= LONG_DIGITS && fraction <= MAX_FRACTION) return value == 0 ? 0 : decimalFraction(value, fraction);
  }
  numberEnd = isDigit(byteAt(from)) || byteAt(from) == MINUS ? scalarEnd(from) : 0;
  return numberEnd == 0 ? NaN : toNumber(from, numberEnd);
}
