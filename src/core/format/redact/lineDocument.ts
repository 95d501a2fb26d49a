/** The strings of a line as texts, those of JSON in its strings too, with what is known of each. */
import { secretName } from './detectors/context/secretNames';
import type { Span } from './detectors/span';
import { fieldKind, type FieldKind } from './fieldKind';
import { parseJson } from '../parse/parseJson';
import { pictures } from './imageFields';
import type { Steps } from '../session/steps';
import { jsonStrings, keysTo, STRINGS_OF_STEP, type JsonString } from './jsonStrings';

/** A JSON text: a line, or a string that is JSON itself, such as the arguments of a call. */
export interface JsonDocument {
  readonly text: string;
  readonly strings: readonly JsonString[];
  readonly texts: readonly LineString[];
}

/** A string of a line. */
export interface LineString {
  readonly string: JsonString;
  /** The string of the line itself that this one is in, or the same. */
  readonly outer: JsonString;
  readonly kind: FieldKind;
  readonly nested: JsonDocument | undefined;
  /** The name of the value: its key, or the name beside it, as in `{"name": "PASSWORD", "value": …}`. */
  readonly name: string | undefined;
  /** The findings in it, in order, without overlaps; set by {@link scanLine}. */
  spans: readonly Span[];
}

/** The place of an object or a list in its document; `undefined` for the whole. */
type JsonStep = NonNullable<JsonString['at']>['parent'];

/** JSON in JSON in JSON. */
const MAX_NESTING = 4;
/** Shorter strings hold nothing that is looked for. */
const MIN_TEXT = 3;
/** Keys and indexes on the way to the fields of the format. */
const MAX_STEPS = 8;
/** One list for all strings without findings, of which a line may have millions. */
const NO_SPANS: readonly Span[] = [];

/**
 * Returns a JSON text with its strings.
 *
 * @param outer the string of the line that holds the text; `undefined` for the line itself
 * @param leaves receives all texts that aren't JSON themselves
 * @param runs receives those that programs show as one: strings of a list, or the texts of its blocks
 */
export function* documentOf(
  text: string,
  outer: JsonString | undefined,
  depth: number,
  leaves: LineString[],
  runs: LineString[][],
): Steps<JsonDocument> {
  const strings = yield* jsonStrings(text);
  const texts: LineString[] = [];
  const names = yield* namesBeside(strings);
  const images = outer ? new Set<JsonString>() : yield* pictures(strings);
  const inLists = new Map<JsonStep, LineString[]>();
  for (const [index, string] of strings.entries()) {
    if (index % STRINGS_OF_STEP === 0) yield;
    const list = listOf(string);
    if (string.value.length < (list ? 1 : MIN_TEXT) || images.has(string)) continue;
    const kind = string.isKey ? 'text' : fieldKind(keysTo(string, MAX_STEPS));
    const around = outer ?? string;
    const nested =
      depth < MAX_NESTING && !string.isKey && (yield* isJson(string.value))
        ? yield* documentOf(string.value, around, depth + 1, leaves, runs)
        : undefined;
    const name = string.isKey ? undefined : nameOf(string, names);
    const one: LineString = { string, outer: around, kind, nested, name, spans: NO_SPANS };
    texts.push(one);
    if (nested) continue;
    leaves.push(one);
    if (!list) continue;
    const others = inLists.get(list.step);
    if (others) others.push(one);
    else inLists.set(list.step, [one]);
  }
  for (const texts of inLists.values()) if (texts.length > 1) runs.push(texts);
  return { text, strings, texts };
}

/** Returns the list whose texts programs show as one: of strings, or of the texts of blocks. */
function listOf({ isKey, at }: JsonString): { readonly step: JsonStep } | undefined {
  if (isKey) return undefined;
  if (at?.index !== undefined) return { step: at.parent };
  return at?.key?.value === 'text' && at.parent?.index !== undefined ? { step: at.parent.parent } : undefined;
}

/** True for an object, a list or a string as JSON. */
function* isJson(value: string): Steps<boolean> {
  const text = value.trim();
  return /^[[{"]/.test(text) && /[\]}"]$/.test(text) && (yield* parseJson(text)) !== undefined;
}

/** Returns the names that are beside other fields, by the object that holds them. */
function* namesBeside(strings: readonly JsonString[]): Steps<Map<JsonStep, string>> {
  const names = new Map<JsonStep, string>();
  for (const [index, { isKey, at, value }] of strings.entries()) {
    if (index % STRINGS_OF_STEP === 0) yield;
    if (isKey && value === 'kty') names.set(at?.parent, JSON_WEB_KEY);
    if (isKey || !/^(?:name|key|variable)$/i.test(at?.key?.value ?? '')) continue;
    if (!names.has(at?.parent) || secretName(value) !== undefined) names.set(at?.parent, value);
  }
  return names;
}

/** The name of an object that is a JSON Web Key, and its private members. */
const JSON_WEB_KEY = 'private_key';
const PRIVATE_MEMBER = /^(?:d|p|q|dp|dq|qi|k)$/;

/** Names of tokens that have hosts as their keys: https://getcomposer.org/doc/articles/authentication-for-private-packages.md. */
const TOKENS_OF_HOSTS = /^(?:github|gitlab)-(?:oauth|token)$/;

function nameOf({ at }: JsonString, names: ReadonlyMap<JsonStep, string>): string | undefined {
  if (TOKENS_OF_HOSTS.test(at?.parent?.key?.value ?? '')) return 'access_token';
  if (PRIVATE_MEMBER.test(at?.key?.value ?? '') && names.get(at?.parent) === JSON_WEB_KEY) return JSON_WEB_KEY;
  // A list has the name of its own key.
  const key = (at?.key ?? at?.parent?.key)?.value;
  return at?.key && /^value$/i.test(at.key.value) ? (names.get(at.parent) ?? key) : key;
}
