/**
 * Walks the members of an object:
 *
 *     for (let at = firstMember(open + 1); at != 0; at = nextMember(valueEnd)) { … memberKey … }
 *     if (objectEnd == 0) …
 *
 * `memberKey` and `objectEnd` belong to the last call, so an inner walk changes them. A walk that must not take an
 * object with a repeated key collects the keys with `withKey`, from `NO_KEYS` on.
 */
import { NONE } from '../../scanner/scannerLayout';
import { CLOSE_BRACE, COLON, COMMA, skipSpace } from './json';
import { keyNamed } from './keys';
import { BACKSLASH, byteAt, plainEnd, QUOTE, stringEnd } from './strings';

/** The `Key` of the current member, or `NONE` for any other. */
export let memberKey: i32 = 0;
/** Once no member is left: the position after the object; 0 if it is malformed, or has a key with an escape. */
export let objectEnd: usize = 0;

/** A set of keys: one bit for each `Key`, and one that is always set. */
export const NO_KEYS: u64 = 1 << 63;

/**
 * Returns the set with the current member's key; 0 if the set has it already. If a key is repeated, the last one counts;
 * the parser handles such lines.
 */
// @ts-ignore: decorator
@inline
export function withKey(keys: u64): u64 {
  if (memberKey == NONE) return keys;
  const bit = (<u64>1) << (<u64>memberKey);
  return keys & bit ? 0 : keys | bit;
}

/** Returns the position of the first member's value; 0 if there is none. `at`: after the opening brace. */
export function firstMember(at: usize): usize {
  at = skipSpace(at);
  if (byteAt(at) != CLOSE_BRACE) return memberValue(at);
  objectEnd = at + 1;
  return 0;
}

/** Returns the position of the next member's value; 0 if there is none. `at`: after a value, or 0 if it was malformed. */
export function nextMember(at: usize): usize {
  objectEnd = 0;
  if (at == 0) return 0;
  at = skipSpace(at);
  const byte = byteAt(at);
  if (byte == COMMA) return memberValue(skipSpace(at + 1));
  if (byte == CLOSE_BRACE) objectEnd = at + 1;
  return 0;
}

function memberValue(at: usize): usize {
  objectEnd = 0;
  if (byteAt(at) != QUOTE) return 0;
  const close = keyEnd(at + 1);
  if (close == 0) return 0;
  memberKey = keyNamed(at + 1, close);
  at = skipSpace(close + 1);
  return byteAt(at) == COLON ? skipSpace(at + 1) : 0;
}

/** Returns the position of a key's closing quote; 0 if the key has an escape, which could spell any key. */
function keyEnd(from: usize): usize {
  const plain = plainEnd(from);
  if (plain != 0) return plain;
  const close = stringEnd(from);
  for (let at = from; at < close; at++) if (byteAt(at) == BACKSLASH) return 0;
  return close;
}
