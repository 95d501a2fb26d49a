/** Finds long random texts that no rule knows. They may be secrets or anything else, so a person decides. */
import { isMadeOfWords } from '../secretValues';
import type { Detector } from '../span';

/** A text of the characters of Base64, and what is behind a sign that passwords and tokens have. */
const CANDIDATE =
  /(?<![A-Za-z0-9+/_%-])([A-Za-z0-9+/_-]{24,4096}={0,2})(?![A-Za-z0-9+/_=-])(?:[:%!~|*$^][A-Za-z0-9+/_=-]{1,200}(?![A-Za-z0-9+/_=-])){0,4}/g;
const HASH = /^(?:[0-9a-f]+|[0-9A-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9A-HJKMNP-TV-Z]{26})$/;
/** An older token of Azure DevOps: https://github.com/microsoft/security-utilities, AdoLegacyPat. */
const LOWER_CASE = /^(?=[^2-7]*[2-7])[a-z2-7]{52}$/;
/** Beginnings of what programs and providers number: digests, ids of messages and calls, public keys. */
const NO_SECRET =
  /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|sha\d{1,3}-|(?:toolu|msg|call|chatcmpl|req|resp|rs|fc|run|thread|file|srvtoolu|reasoning)[_-]|AAAA[A-Z])/;
const DIGEST = /(?:sha(?:1|224|256|384|512)|md5|h1|integrity|base64)\W{0,3}$/i;

/** UTF-16 units of a random text. */
const MIN_LENGTH = 24;
/** Bits for each character; words have fewer. */
const MIN_ENTROPY = 4;

/** Characters before a candidate that may name it a digest. */
const LOOK_BACK = 16;

export const findLongRandom: Detector = (text, add) => {
  const isPublic = text.includes('-----BEGIN') && /-----BEGIN (?:CERTIFICATE|PUBLIC KEY)/.test(text);
  for (const match of text.matchAll(CANDIDATE)) {
    const [value, core = value] = match;
    const before = text.slice(Math.max(0, match.index - LOOK_BACK), match.index);
    if (NO_SECRET.test(core) || DIGEST.test(before) || (isPublic && core.length >= 60 && core.length <= 76)) continue;
    const part = partOfPath(core);
    if (part.length < MIN_LENGTH || !isRandom(part)) continue;
    const start = match.index + core.lastIndexOf(part);
    add({
      start,
      end: core.endsWith(part) ? match.index + value.length : start + part.length,
      rule: 'long-random-text',
      kind: 'uncertain',
    });
  }
};

/** Returns the only part of a path or an address that isn't a name; the whole if several aren't, since Base64 has slashes, too. */
function partOfPath(text: string): string {
  const [part = '', ...others] = text.split('/').filter((one) => !isName(one));
  return others.length === 0 ? part : text;
}

const isName = (part: string): boolean => !LOWER_CASE.test(part) && (/^(?:[A-Za-z]*|[\d-]+|v\d+)$/.test(part) || isMadeOfWords(part));

function isRandom(text: string): boolean {
  if (LOWER_CASE.test(text)) return true;
  if (HASH.test(text) || NO_SECRET.test(text) || !(/[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text))) return false;
  // A path or a name of words has short parts, or parts without digits.
  return text.split(/[/_-]/).some((part) => part.length >= 16 && /\d/.test(part)) && entropy(text) >= MIN_ENTROPY;
}

/** Returns Shannon's entropy of a text's characters, in bits for each. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
