/** The texts of a line in which secrets are looked for, as one text for the detectors. */
import type { Steps } from '../session/steps';
import { findInContext } from './detectors/context/contextRules';
import { certaintyOf, ruleOfName, secretName } from './detectors/context/secretNames';
import { isSecretValue } from './detectors/secretValues';
import { mergeSpans, type Detector, type Span } from './detectors/span';
import { BETWEEN } from './derivedText';
import { findInOtherForms } from './everyForm';
import { joined, spansOfRuns, type Piece } from './joinedTexts';
import { STRINGS_OF_STEP, withStrings, type JsonString } from './jsonStrings';
import { documentOf, type JsonDocument, type LineString } from './lineDocument';

export interface ScannedLine {
  readonly document: JsonDocument;
  /** All texts that aren't JSON themselves. */
  readonly leaves: readonly LineString[];
}

/** UTF-16 units that the detectors get at once, and what they see before and after. Nothing that is looked for is longer. */
const WINDOW = 64 * 1024;
const BEFORE = 512;
const AFTER = 20 * 1024;

/** The detectors of a search. */
export interface Search {
  /** For texts as they are. */
  readonly plain: readonly Detector[];
  /** For all other forms of texts, as `findInOtherForms` has them. */
  readonly other: readonly Detector[];
}

/**
 * Finds what the detectors recognize in all strings of a line, and in those that programs show as one. Yields after each piece of
 * work of some milliseconds, so that the caller can let others run.
 */
export function* scanLine(line: string, search: Search): Steps<ScannedLine> {
  const leaves: LineString[] = [];
  const runs: LineString[][] = [];
  const document = yield* documentOf(line, undefined, 0, leaves, runs);
  yield* findIn(leaves, runs, search);
  return { document, leaves };
}

/**
 * Like {@link scanLine} for several short lines at once, which takes a fraction of the time. Where a rule asks for a word anywhere in the
 * text, that may be in another line. So what is found may be more than in the lines alone, and never less.
 *
 * @param plain the words of earlier calls in which this search found nothing, such as the keys of the format; grows
 * @returns the texts of each line
 */
export function* scanTogether(lines: readonly string[], search: Search, plain: Set<string>): Steps<readonly (readonly LineString[])[]> {
  const texts: LineString[][] = [];
  const runs: LineString[][] = [];
  for (const line of lines) {
    const leaves: LineString[] = [];
    yield* documentOf(line, undefined, 0, leaves, runs);
    texts.push(leaves);
  }
  // Findings in the run of a text are parts of the text.
  const inRuns = new Set(runs.flat());
  const others = texts.flat().filter((leaf) => inRuns.has(leaf) || !plain.has(wordOf(leaf)));
  yield* findIn(others, runs, search);
  for (const leaf of others)
    if (leaf.spans.length === 0 && plain.size < MAX_PLAIN && PLAIN_WORD.test(leaf.string.value)) plain.add(wordOf(leaf));
  return texts;
}

/**
 * A word that no rule for texts or their surroundings finds anything in, and that isn't Base64; its name and the person may tell more.
 * No rule may ask for such a word alone in another text: it's left out of what is searched with that text.
 */
const PLAIN_WORD = /^[A-Za-z_-]{1,15}$/;
const MAX_PLAIN = 2000;
const wordOf = ({ string, kind, name = '' }: LineString): string => `${kind}\n${name}\n${string.value}`;

/** Sets the spans of the texts. @param runs those that programs show as one */
function* findIn(leaves: readonly LineString[], runs: readonly (readonly LineString[])[], search: Search): Steps<void> {
  const { pieces, text, runsFrom } = yield* joined(leaves, runs);
  const found: Span[] = [];
  for (let from = 0; from < text.length; from += WINDOW) {
    const begin = Math.max(0, from - BEFORE);
    const window = begin === 0 && text.length <= WINDOW + AFTER ? text : text.slice(begin, from + WINDOW + AFTER);
    const add = (span: Span): void => {
      const start = begin + span.start;
      const end = begin + span.end;
      // Base64 may have begun before.
      const isOfWindow = (start >= from && start < from + WINDOW) || (span.start === 0 && end > from);
      if (isOfWindow || window === text) found.push({ ...span, start, end });
    };
    for (const detect of search.plain) {
      detect(window, add);
      yield;
    }
    yield* findInOtherForms(window, search.other, add);
    if (window === text) break;
  }
  found.sort((a, b) => a.start - b.start);
  const firstInRuns = found.findIndex(({ start }) => start >= runsFrom);
  const count = firstInRuns < 0 ? found.length : firstInRuns;
  const ofRuns = spansOfRuns(found.slice(count), pieces.slice(leaves.length), text);
  yield* assign(found.slice(0, count), pieces.slice(0, leaves.length), ofRuns);
}

/** Findings whose placeholders take about a millisecond. */
export const SPANS_OF_STEP = 100;
/** Texts whose names are searched, too, in about a millisecond. */
const LEAVES_OF_STEP = 100;

/** Sets the spans of each text, including those that follow from its name. */
function* assign(sorted: readonly Span[], pieces: readonly Piece[], ofRuns: ReadonlyMap<LineString, readonly Span[]>): Steps<void> {
  let next = 0;
  let carried: Span[] = [];
  let previous: LineString | undefined;
  for (const [index, { leaf, start }] of pieces.entries()) {
    if (index % LEAVES_OF_STEP === 0) yield;
    const { string, kind, name } = leaf;
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
    for (const span of ofRuns.get(leaf) ?? []) spans.push(span);
    if (name !== undefined && kind === 'text') for (const span of spansOfNamed(name, string.value)) spans.push(span);
    if (spans.length === 0) continue;
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
