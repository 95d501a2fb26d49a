/** The usage of a message: the numbers that the caller has named. Other keys are ignored. */
import { Key } from '../../scanner/scannerKeys';
import { NONE } from '../../scanner/scannerLayout';
import { OPEN_BRACE, valueEnd } from '../json/json';
import { addField, createFields, fieldOf, Fields, MAX_KEYS } from '../json/keys';
import { firstMember, memberKey, nextMember, NO_KEYS, objectEnd, withKey } from '../json/members';
import { numberAt, numberEnd } from '../json/numbers';
import { byteAt } from '../json/strings';

const tokens = createFields();
const costs = createFields();
/** Numbers: all tokens, then all costs. */
export const usage: usize = heap.alloc((2 * MAX_KEYS) << 3);
/** The highest number that counts; see `amountOr` in `entry/usage.ts`. */
const MAX_AMOUNT: f64 = 9007199254740991;
/** The numbers of a usage that states none. */
const missing: usize = heap.alloc((2 * MAX_KEYS) << 3);
export let usageBytes: usize = 0;

/** Adds a number of tokens. `ifMissing`: the number of a usage that doesn't state it. */
export function addTokens(key: i32, ifMissing: f64): void {
  if (costs.count != 0) unreachable();
  addField(tokens, key);
  addNumber(ifMissing);
}

/** Adds a number of dollars, once all tokens are added. It is `NaN` in a usage without a cost. */
export function addCost(key: i32): void {
  addField(costs, key);
  addNumber(NaN);
}

function addNumber(ifMissing: f64): void {
  store<f64>(missing + usageBytes, ifMissing);
  usageBytes += sizeof<f64>();
}

/** Reads the usage at `at` and returns its end; 0 if it is malformed or irregular. */
export function readUsage(at: usize): usize {
  memory.copy(usage, missing, usageBytes);
  return readNumbers(at, tokens, usage, true);
}

function readCost(at: usize): usize {
  const from = usage + ((<usize>tokens.count) << 3);
  memory.fill(from, 0, usage + usageBytes - from);
  return readNumbers(at, costs, from, false);
}

/** Reads the numbers of an object, which may have a cost if it's a usage. Returns its end; 0 if it is malformed or irregular. */
function readNumbers(at: usize, fields: Fields, numbers: usize, isUsage: bool): usize {
  if (byteAt(at) != OPEN_BRACE) return 0;
  let keys = NO_KEYS;
  let end: usize = 0;
  for (let value = firstMember(at + 1); value != 0; value = nextMember(end)) {
    const isCost = isUsage && memberKey == Key.cost;
    const field = fieldOf(fields, memberKey);
    if (field == NONE && !isCost) {
      end = valueEnd(value);
      continue;
    }
    keys = withKey(keys);
    if (keys == 0) return 0;
    end = isCost ? readCost(value) : readAmount(value, numbers + ((<usize>field) << 3));
  }
  return objectEnd;
}

/** Stores a number that counts and returns its end; 0 for any other value, which only the parser judges. */
function readAmount(at: usize, into: usize): usize {
  const value = numberAt(at);
  if (!(value >= 0 && value <= MAX_AMOUNT)) return 0;
  store<f64>(into, value);
  return numberEnd;
}
