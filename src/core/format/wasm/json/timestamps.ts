/** Timestamps of the form that the programs write. */
import { COLON, DOT, MINUS } from './json';
import { byteAt, isDigit, QUOTE, ZERO } from './strings';

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
