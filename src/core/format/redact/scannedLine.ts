/** The texts of a line in which secrets are looked for, as one text for the detectors. */
import { defined } from '../entry/defined';
import type { Steps } from '../session/steps';
import { fieldKind, isImageData, type FieldKind } from './fieldKind';
import { jsonStrings, keysTo, STRINGS_OF_STEP, withStrings, type JsonString } from './jsonStrings';
import { certaintyOf, ruleOfName, secretName } from './detectors/secretNames';
import { isSecretValue } from './detectors/secretValues';
import { findInContext } from './detectors/contextRules';
import { mergeSpans, type Detector, type Span } from './detectors/span';

/** A JSON text: a line, or a string that is JSON itself, such as the arguments of a call. */
interface JsonDocument {
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
  readonly nested?: JsonDocument;
  /** The name of the value: its key, or the name beside it, as in `{"name": "PASSWORD", "value": …}`. */
  readonly name?: string;
  /** The findings in it, in order, without overlaps; set by {@link scanLine}. */
  spans: readonly Span[];
}

export interface ScannedLine {
  readonly document: JsonDocument;
  /** All texts that aren't JSON themselves. */
  readonly leaves: readonly LineString[];
}

/** The place of an object or a list in its document; `undefined` for the whole. */
type JsonStep = NonNullable<JsonString['at']>['parent'];

/** JSON in JSON in JSON. */
const MAX_NESTING = 4;
/** Shorter strings hold nothing that is looked for. */
const MIN_TEXT = 3;
/** Keys and indexes on the way to the fields of the format. */
const MAX_STEPS = 8;

/** Between two texts: no rule finds anything across it. */
const BETWEEN = '\n\0\n';

/** UTF-16 units that the detectors get at once, and what they see before and after. Nothing that is looked for is longer. */
const WINDOW = 256 * 1024;
const BEFORE = 512;
const AFTER = 20 * 1024;

/**
 * Finds what the detectors recognize in all strings of a line. Yields after each piece of work of some milliseconds, so that
 * the caller can let others run.
 */
export function* scanLine(line: string, detectors: readonly Detector[]): Steps<ScannedLine> {
  const leaves: LineString[] = [];
  const document = yield* documentOf(line, undefined, 0, leaves);
  const pieces: string[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const { string } of leaves) {
    starts.push(length);
    pieces.push(string.value);
    length += string.value.length + BETWEEN.length;
  }
  const text = pieces.join(BETWEEN);
  const found: Span[] = [];
  for (let from = 0; from < text.length; from += WINDOW) {
    const begin = Math.max(0, from - BEFORE);
    const window = begin === 0 && text.length <= WINDOW + AFTER ? text : text.slice(begin, from + WINDOW + AFTER);
    const add = (span: Span): void => {
      const start = begin + span.start;
      if (start >= from && (start < from + WINDOW || window === text)) found.push({ ...span, start, end: begin + span.end });
    };
    for (const detect of detectors) {
      detect(window, add);
      yield;
    }
    if (window === text) break;
  }
  yield* assign(found, leaves, starts);
  return { document, leaves };
}

function* documentOf(text: string, outer: JsonString | undefined, depth: number, leaves: LineString[]): Steps<JsonDocument> {
  const strings = yield* jsonStrings(text);
  const texts: LineString[] = [];
  const names = namesBeside(strings);
  for (const [index, string] of strings.entries()) {
    if (index % STRINGS_OF_STEP === 0) yield;
    if (string.value.length < MIN_TEXT || isImageData(string.value)) continue;
    const kind = string.isKey ? 'text' : fieldKind(keysTo(string, MAX_STEPS));
    const around = outer ?? string;
    const nested =
      depth < MAX_NESTING && !string.isKey && isJson(string.value) ? yield* documentOf(string.value, around, depth + 1, leaves) : undefined;
    const name = string.isKey ? undefined : nameOf(string, names);
    const one: LineString = {
      string,
      outer: around,
      kind,
      spans: [],
      ...defined({ nested, name }),
    };
    texts.push(one);
    if (!nested) leaves.push(one);
  }
  return { text, strings, texts };
}

/** True for an object, a list or a string as JSON. */
function isJson(value: string): boolean {
  const text = value.trim();
  if (!/^[[{"]/.test(text) || !/[\]}"]$/.test(text) || text.length < 2) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Findings whose placeholders take about a millisecond. */
export const SPANS_OF_STEP = 100;
/** Texts whose names are searched, too, in about a millisecond. */
const LEAVES_OF_STEP = 100;

/** Sets the spans of each text, including those that follow from its name. */
function* assign(found: readonly Span[], leaves: readonly LineString[], starts: readonly number[]): Steps<void> {
  const sorted = [...found].sort((a, b) => a.start - b.start);
  let next = 0;
  let carried: Span[] = [];
  let previous: LineString | undefined;
  for (const [index, leaf] of leaves.entries()) {
    if (index % LEAVES_OF_STEP === 0) yield;
    const { string, kind, name } = leaf;
    const start = starts[index] ?? 0;
    const end = start + string.value.length;
    // A private key may be a list of its lines.
    const here = previous && isSameList(previous, leaf) ? carried : [];
    for (; next < sorted.length; next++) {
      const span = sorted[next];
      if (!span || span.start >= end) break;
      if (span.end > start) here.push(span);
    }
    const spans = here.flatMap((span) => {
      const part = { ...span, start: Math.max(0, span.start - start), end: Math.min(string.value.length, span.end - start) };
      const isCut = span.start < start || span.end > end;
      return isCut && MARKER.test(string.value.slice(part.start, part.end)) ? [] : [part];
    });
    carried = here.filter((span) => span.end > end + BETWEEN.length);
    previous = leaf;
    if (name !== undefined && kind === 'text') spans.push(...spansOfNamed(name, string.value));
    leaf.spans = mergeSpans(
      kind === 'text' ? spans : spans.filter((span) => span.kind === 'format' || span.kind === 'own' || span.rule === 'email'),
    );
  }
}

/** The first or last line of a key, which is no secret. */
const MARKER = /^\s*-----(?:BEGIN|END)[A-Z0-9 ]{0,60}-----\s*$/;

function isSameList(one: LineString, other: LineString): boolean {
  const { at } = one.string;
  const next = other.string.at;
  return (
    at?.index !== undefined && next?.index !== undefined && at.parent === next.parent && one.outer.at?.parent === other.outer.at?.parent
  );
}

/** Finds secrets and personal data in a value by its name. */
function spansOfNamed(name: string, whole: string): Span[] {
  const spans: Span[] = [];
  const secret = secretName(name);
  const value = whole.trim();
  if (secret && isSecretValue(secret.name, value, true)) {
    const start = whole.indexOf(value);
    spans.push({ start, end: start + value.length, rule: ruleOfName(secret.name), ...certaintyOf(secret.before, secret.name, value) });
  }
  if (!TELLING_NAME.test(name)) return spans;
  // The rules for headers and settings know names and values in one text.
  const prefix = `"${name}": "`;
  findInContext(`${prefix}${whole.slice(0, MAX_NAMED)}"`, (span) => {
    const start = Math.max(0, span.start - prefix.length);
    const end = Math.min(whole.length, span.end - prefix.length);
    if (end > start) spans.push({ ...span, start, end });
  });
  return spans;
}

/** Names for which there are rules of their own. */
const TELLING_NAME = /^(?=.{1,64}$).*(?:auth|cookie|token|api-key|subscription-key|key-data|tls\.key)/is;
/** UTF-16 units of a value of a header or a setting. */
const MAX_NAMED = 16 * 1024;

/** Returns the names that are beside other fields, by the object that holds them. */
function namesBeside(strings: readonly JsonString[]): Map<JsonStep, string> {
  const names = new Map<JsonStep, string>();
  for (const { isKey, at, value } of strings) {
    if (isKey && value === 'kty') names.set(at?.parent, JSON_WEB_KEY);
    if (isKey || !/^(?:name|key|variable)$/i.test(at?.key?.value ?? '')) continue;
    if (!names.has(at?.parent) || secretName(value) !== undefined) names.set(at?.parent, value);
  }
  return names;
}

/** The name of an object that is a JSON Web Key, and its private members. */
const JSON_WEB_KEY = 'private_key';
const PRIVATE_MEMBER = /^(?:d|p|q|dp|dq|qi|k)$/;

function nameOf({ at }: JsonString, names: ReadonlyMap<JsonStep, string>): string | undefined {
  if (PRIVATE_MEMBER.test(at?.key?.value ?? '') && names.get(at?.parent) === JSON_WEB_KEY) return JSON_WEB_KEY;
  // A list has the name of its own key.
  const key = (at?.key ?? at?.parent?.key)?.value;
  return at?.key && /^value$/i.test(at.key.value) ? (names.get(at.parent) ?? key) : key;
}

/**
 * Returns the line with other texts in the places of the spans.
 *
 * @param textOf the text for a span of a string; `undefined` leaves it as it is.
 */
export function replaceSpans({ document }: ScannedLine, textOf: (value: string, span: Span) => string | undefined): Steps<string> {
  return rewritten(document, textOf);
}

function* rewritten({ text, strings, texts }: JsonDocument, textOf: (value: string, span: Span) => string | undefined): Steps<string> {
  const values = new Map<JsonString, string>();
  for (const [index, { string, nested, spans }] of texts.entries()) {
    if (index % STRINGS_OF_STEP === 0) yield;
    const value = nested ? yield* rewritten(nested, textOf) : yield* withSpans(string.value, spans, textOf);
    if (value !== string.value) values.set(string, value);
  }
  return yield* withStrings(text, strings, values);
}

/** Returns a text with other texts in the places of its spans. */
export function* withSpans(
  value: string,
  spans: readonly Span[],
  textOf: (value: string, span: Span) => string | undefined,
): Steps<string> {
  if (spans.length === 0) return value;
  const parts: string[] = [];
  let from = 0;
  for (const [index, span] of spans.entries()) {
    if (index % SPANS_OF_STEP === 0) yield;
    const text = textOf(value.slice(span.start, span.end), span);
    if (text === undefined) continue;
    parts.push(value.slice(from, span.start), text);
    from = span.end;
  }
  parts.push(value.slice(from));
  return parts.join('');
}
