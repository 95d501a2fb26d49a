/**
 * Finds all strings of a JSON text, keys included, and replaces some of them. Works on the text instead of its value, so
 * that everything else stays byte for byte, and so that nothing hides: a key that is there twice, or what follows an object.
 */
import { beginning } from '../text/characters';

import type { Steps } from '../session/steps';

/** A key or an index on the way to a string. */
interface Step {
  readonly parent: Step | undefined;
  readonly index?: number;
  readonly key?: JsonString;
}

/** A string in a JSON text. */
export interface JsonString {
  /** The decoded value. */
  readonly value: string;
  /** The literal in the text, with its quotes. */
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
  readonly at: Step | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;

/** Numbers that are passwords count as strings. A replaced one becomes a string. */
const NUMBER = /\d+/y;
const PASSWORD = /(?:pass(?:word|wd|phrase|code)|pwd)$/i;
const MIN_PASSWORD = 6;
/** UTF-16 units of a key that is looked at. */
const MAX_KEY = 200;

/** Strings whose work takes about a millisecond. One line may have millions. */
export const STRINGS_OF_STEP = 2_000;
/** UTF-16 units between strings, which take as long. */
const STEP_UNITS = 64 * 1024;

/** Returns the strings in order, in steps, and the numbers of passwords. Text that isn't JSON is tolerated: anything in quotation marks counts as a string. */
export function* jsonStrings(text: string): Steps<JsonString[]> {
  const found: JsonString[] = [];
  const open: { readonly step: Step | undefined; readonly isArray: boolean; index: number; key: JsonString | undefined }[] = [];
  let isKeyNext = false;
  const stepInto = (): Step | undefined => {
    const inside = open.at(-1);
    if (!inside) return undefined;
    const { step: parent, index, key } = inside;
    if (inside.isArray) return { parent, index };
    return key ? key.at : { parent };
  };
  let nextUnit = STEP_UNITS;
  let nextString = STRINGS_OF_STEP;
  for (let i = 0; i < text.length; i++) {
    if (i >= nextUnit || found.length >= nextString) {
      yield;
      nextUnit = i + STEP_UNITS;
      nextString = found.length + STRINGS_OF_STEP;
    }
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      NUMBER.lastIndex = i;
      const [value = ''] = NUMBER.exec(text) ?? [];
      const key = open.at(-1)?.key;
      if (key && !isKeyNext && value.length >= MIN_PASSWORD && PASSWORD.test(key.value.slice(0, MAX_KEY)))
        found.push({ value, start: i, end: i + value.length, isKey: false, at: stepInto() });
      i += value.length - 1;
    } else if (code === QUOTE) {
      const end = endOfString(text, i);
      const inside = open.at(-1);
      const isKey = isKeyNext && inside?.isArray === false;
      const value = decode(text.slice(i, end));
      if (isKey) {
        const at: { parent: Step | undefined; key?: JsonString } = { parent: inside.step };
        const key: JsonString = { value, start: i, end, isKey, at };
        at.key = key;
        inside.key = key;
        found.push(key);
      } else found.push({ value, start: i, end, isKey, at: stepInto() });
      i = end - 1;
    } else if (code === 0x7b || code === 0x5b) {
      open.push({ step: stepInto(), isArray: code === 0x5b, index: 0, key: undefined });
      isKeyNext = code === 0x7b;
    } else if (code === 0x7d || code === 0x5d) {
      open.pop();
      isKeyNext = false;
    } else if (code === COMMA) {
      const inside = open.at(-1);
      if (inside?.isArray) inside.index++;
      else isKeyNext = true;
    } else if (code === COLON) isKeyNext = false;
  }
  return found;
}

/** Returns the position after the closing quote, or the end of a text without one. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function decode(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, literal.endsWith('"') ? -1 : undefined);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal.slice(1, -1);
  }
}

/**
 * Returns the text with other strings in the places of some, in steps.
 *
 * @param values the new values, by the strings of {@link jsonStrings}; strings that it doesn't have stay as they are written.
 */
export function* withStrings(text: string, strings: readonly JsonString[], values: ReadonlyMap<JsonString, string>): Steps<string> {
  if (values.size === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const [index, string] of strings.entries()) {
    if (index % STRINGS_OF_STEP === 0) yield;
    const value = values.get(string);
    if (value === undefined) continue;
    parts.push(text.slice(from, string.start), JSON.stringify(value));
    from = string.end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** Keys on the way to a string, from the outside; indexes are left out. `undefined` if there are more than `limit` steps. */
export function keysTo(string: JsonString, limit: number): string[] | undefined {
  const keys: string[] = [];
  let steps = 0;
  for (let step = string.at; step; step = step.parent) {
    if (++steps > limit) return undefined;
    if (step.key) keys.push(step.key.value);
  }
  return keys.reverse();
}

/** Steps of a location that are shown; of deeper ones the last. */
const MAX_STEPS = 20;
const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/**
 * Returns the location of a string, such as `message.content[0].text`; for a key, the location of its value.
 *
 * @param keyText the text to show for a key, which may hold a secret, too.
 */
export function locationOf(string: JsonString, keyText: (key: JsonString) => string): string {
  const steps: string[] = [];
  for (let step = string.at; step; step = step.parent) {
    if (steps.length === MAX_STEPS) {
      steps.push('…');
      break;
    }
    const key = step.key ? keyText(step.key) : undefined;
    if (key === undefined) steps.push(`[${String(step.index ?? 0)}]`);
    else steps.push(PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key.length > 80 ? `${beginning(key, 79)}…` : key)}]`);
  }
  return steps.reverse().join('').replace(/^\./, '');
}
