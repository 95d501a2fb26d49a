/** Tells the values of secrets from the other texts that stand behind a secret's name: words, types, paths, calls. */
import { isExample } from './exampleSecrets';
import { isTime } from './idsAndTimes';
import { isKeyName } from './context/secretNames';

/** The beginnings of texts about a password. */
const ABOUT = /^(?:reset|forg[eo]t|change|update|confirm|enter|show|hide|no|with|must|should|invalid|wrong)/i;

/** Words in the place of a password, in code, forms and messages. */
const WORD =
  /^(?:pass(?:word|wd|phrase|code)?s?|pwd|string|text|hidden|required?|optional|invalid|incorrect|missing|wrong|true|false|null|none|undefined|nil|empty|unknown|number|boolean|object|any|bool|str|int|char|varchar|bytes?|prompt|ask|env|file|stdin|forgotten|forgot|reset|confirm|new|old|current|current-password|new-password|secret|secrets|token|tokens|bearer|basic|default|access|refresh|user(?:name)?|email|login|admin|root|postgres|value|test|demo|off|on|yes|no)$/i;
/** True for a word that is no password, but often in the place of one. */
export const isPasswordWord = (value: string): boolean => WORD.test(value);
const PATH = /^(?:[.~]|\/[a-z0-9._-]+(?:\/|$))/;
/** Base64 that begins like a path. */
const BASE64 = /^(?=.*[+=])[A-Za-z0-9+/]{24,}={0,2}$/;
/** A type or an encoding, and a call of a function. */
const TYPE = /^(?:u?int\d+(?:clamped)?(?:array)?|float\d+(?:array)?|base\d\d(?:url)?|sha\d{1,3}|utf-?\d{1,2}(?:le)?)$/i;
const MEMBER = /^[A-Za-z_$][\w$]*(?:[.:][A-Za-z_$][\w$]*)+$/;

/** UTF-16 units of a field that is a secret as a whole. */
const MAX_VALUE = 64 * 1024;

/** True if a value with a name like `password` or `api_key` is a secret. */
export function isSecretValue(name: string, value: string, isQuoted: boolean): boolean {
  if (value.length < 4 || value.length > MAX_VALUE || /\s/.test(value) || WORD.test(value) || isExample(value)) return false;
  if (
    /^(?:https?|file):\/\/|^arn:aws/i.test(value) ||
    isMember(value) ||
    TYPE.test(value) ||
    (PATH.test(value) && !BASE64.test(value)) ||
    /^v?\d+[.:-]\d+[\d.:-]*$/.test(value)
  )
    return false;
  return isKeyName(name) ? isKey(value, isQuoted) : isPassword(value, isQuoted);
}

/** The end of a session's file, whose name may have a secret. */
const SESSION_FILE = '.jsonl';

/** True for the name of a member in code, such as `config.token`. */
const isMember = (value: string): boolean =>
  MEMBER.test(value) && !value.endsWith(SESSION_FILE) && !value.split(/[.:]/).some((part) => part.length >= 16 && /\d.*\d/.test(part));

function isPassword(value: string, isQuoted: boolean): boolean {
  const hasNumber = /\d/.test(value);
  if (/[A-Za-z]/.test(value) && hasNumber) return value.length >= (isQuoted ? 4 : 6);
  if (hasNumber || /[!@#$%^&*+=?]/.test(value)) return value.length >= 6;
  if (!isQuoted || /pass|secret|token/i.test(value)) return false;
  return value.length >= 12 || (value.length >= 8 && /[a-z][A-Z]/.test(value));
}

/** Settings, and names of places that a secret is read from, in the place of one. */
const REFERENCE =
  /^(?:your|get|from|read|load|enabled?|disabled?|auto(?:matic)?|generated?|production|development|staging|kubernetes|external)|(?:name|ref|arn|id|path|file|key)$/i;

/**
 * True for a password of letters alone in a variable, where other texts are rare, and for a secret that signs tokens, such as
 * `JWT_SECRET=foobar`: https://jwt-auth.readthedocs.io/en/develop/laravel-installation/.
 */
export const isPlainPassword = (name: string, value: string): boolean =>
  (!isKeyName(name) || (name === 'secret' && value.length >= 8 && !REFERENCE.test(value))) &&
  /^[A-Za-z]{6,64}$/.test(value) &&
  /[a-z]/.test(value) &&
  !WORD.test(value) &&
  !ABOUT.test(value) &&
  !isExample(value);

/** True for several words that may be a password, with a digit or a sign that sentences don't have. */
export const isPhrase = (value: string): boolean => value.length <= 64 && PHRASE.test(value) && !isExample(value);
/** True for a text with signs that sentences don't have, such as a random one with spaces. */
export const hasManySigns = (value: string): boolean => (value.match(/[!@#$%^&*+=~|<>{}[\]\\]/g)?.length ?? 0) >= 4;
const PHRASE = /^(?=.*[\d@#%^&*+=~])[^\s]{1,64}(?: [^\s]{1,64}){1,7}$/;

function isKey(value: string, isQuoted: boolean): boolean {
  if (value.length < (isQuoted ? 8 : 12) || !/[A-Za-z]/.test(value) || isTime(value)) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  if (digits === 0 && value.length < 32)
    return isQuoted && value.length >= 16 && /^[A-Za-z+/=]+$/.test(value) && !/token|secret|key|auth|name|user|id/i.test(value);
  if (isMadeOfWords(value)) return isQuoted && digits >= 3 && /^[A-Za-z0-9]+$/.test(value);
  return digits >= 2 || value.length >= 16;
}

/** Number of characters of a word or a number, on average; those of random texts are shorter. */
const WORD_LENGTH = 3.5;
/** A word, also in camel case, or a number; and a part that is longer than these are. */
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;
/** Small letters beside more capitals than an abbreviation has: such a part is random. */
const RANDOM_PART = /[a-z][A-Z]{7}|[A-Z]{8}[a-z]/;
const LONG_PART = /[a-z]{21}|[A-Z]{21}|\d{9}/;

/** True for identifiers and names in code, such as `db-credentials-v12` and `getAccessToken`. */
export function isMadeOfWords(value: string): boolean {
  if (LONG_PART.test(value) || RANDOM_PART.test(value)) return false;
  const words = value.match(WORDS) ?? [];
  return words.reduce((sum, { length }) => sum + length, 0) >= words.length * WORD_LENGTH;
}
