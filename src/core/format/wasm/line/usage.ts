/** The usage of a message: the numbers that heads and totals need. Other keys are ignored. */
import { USAGE_LENGTH, UsageField } from '../../scanner/scannerLayout';
import { OPEN_BRACE, valueEnd } from '../json/json';
import { Key } from '../json/keys';
import { firstMember, memberKey, nextMember, NO_KEYS, objectEnd, withKey } from '../json/members';
import { numberAt, numberEnd } from '../json/numbers';
import { byteAt } from '../json/strings';

/** `USAGE_LENGTH` numbers. */
export const usage: usize = heap.alloc(USAGE_LENGTH << 3);

/** Reads the usage at `at` and returns its end; 0 if it is malformed or irregular. A missing number is 0. */
export function readUsage(at: usize): usize {
  if (byteAt(at) != OPEN_BRACE) return 0;
  memory.fill(usage, 0, USAGE_LENGTH << 3);
  setField(UsageField.totalTokens, NaN);
  setField(UsageField.inputCost, NaN);
  let keys = NO_KEYS;
  let end: usize = 0;
  for (let value = firstMember(at + 1); value != 0; value = nextMember(end)) {
    const key = memberKey;
    const field = tokenField(key);
    if (field < 0 && key != Key.cost) {
      end = valueEnd(value);
      continue;
    }
    keys = withKey(keys);
    if (keys == 0) return 0;
    end = key == Key.cost ? readCost(value) : readAmount(value, field);
  }
  return objectEnd;
}

function readCost(at: usize): usize {
  if (byteAt(at) != OPEN_BRACE) return 0;
  setField(UsageField.inputCost, 0);
  let keys = NO_KEYS;
  let end: usize = 0;
  for (let value = firstMember(at + 1); value != 0; value = nextMember(end)) {
    const key = memberKey;
    const field = costField(key);
    if (field < 0) {
      end = valueEnd(value);
      continue;
    }
    keys = withKey(keys);
    if (keys == 0) return 0;
    end = readAmount(value, field);
  }
  return objectEnd;
}

/** Returns the end of a number; 0 for any other value, which only the parser judges. */
function readAmount(at: usize, field: i32): usize {
  const value = numberAt(at);
  if (!isFinite(value)) return 0;
  setField(field, value);
  return numberEnd;
}

function setField(field: i32, value: f64): void {
  store<f64>(usage + ((<usize>field) << 3), value);
}

function tokenField(key: i32): i32 {
  switch (key) {
    case Key.input:
      return UsageField.input;
    case Key.output:
      return UsageField.output;
    case Key.cacheRead:
      return UsageField.cacheRead;
    case Key.cacheWrite:
      return UsageField.cacheWrite;
    case Key.totalTokens:
      return UsageField.totalTokens;
    default:
      return -1;
  }
}

function costField(key: i32): i32 {
  switch (key) {
    case Key.input:
      return UsageField.inputCost;
    case Key.output:
      return UsageField.outputCost;
    case Key.cacheRead:
      return UsageField.cacheReadCost;
    case Key.cacheWrite:
      return UsageField.cacheWriteCost;
    case Key.total:
      return UsageField.totalCost;
    default:
      return -1;
  }
}
