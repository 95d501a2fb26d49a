/** Finds long random texts that no rule knows. They may be secrets or anything else, so a person decides. */
import type { Detector } from './span';

const CANDIDATE = /(?<![A-Za-z0-9+/_=.%-])[A-Za-z0-9+/_-]{24,4096}={0,2}(?![A-Za-z0-9+/_=-])/g;
const HASH = /^(?:[0-9a-f]+|[0-9A-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9A-HJKMNP-TV-Z]{26})$/;
/** Beginnings of what programs and providers number: digests, ids of messages and calls, public keys. */
const NO_SECRET =
  /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|sha\d{1,3}-|(?:toolu|msg|call|chatcmpl|req|resp|rs|fc|run|thread|file|srvtoolu|reasoning)[_-]|AAAA[A-Z])/;
const DIGEST = /(?:sha(?:1|224|256|384|512)|md5|h1|integrity)\W{0,3}$/i;

/** Bits for each character; words have fewer. */
const MIN_ENTROPY = 4;

/** Characters before a candidate that may name it a digest. */
const LOOK_BACK = 16;

export const findLongRandom: Detector = (text, add) => {
  const isPublic = text.includes('-----BEGIN') && /-----BEGIN (?:CERTIFICATE|PUBLIC KEY)/.test(text);
  for (const match of text.matchAll(CANDIDATE)) {
    const [value] = match;
    if (isPublic && value.length >= 60 && value.length <= 76) continue;
    if (HASH.test(value) || NO_SECRET.test(value) || !(/[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value))) continue;
    // A path or a name of words has short parts, or parts without digits.
    if (value.split(/[/_-]/).every((part) => part.length < 16 || !/\d/.test(part))) continue;
    if (entropy(value) < MIN_ENTROPY || DIGEST.test(text.slice(Math.max(0, match.index - LOOK_BACK), match.index))) continue;
    add({ start: match.index, end: match.index + value.length, rule: 'long-random-text', kind: 'uncertain' });
  }
};

/** Returns Shannon's entropy of a text's characters, in bits for each. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
