/**
 * Searches a text in every form that a reader or a program gives it: as it is, as it's seen, without escapes, without marks, and the
 * texts in Base64 in it, in all of these forms again. What is found leads back to the place in the text itself.
 */
import { defined } from '../values/defined';
import type { Steps } from '../session/steps';
import { base64Parts, textOfBase64, withoutEscapes } from './detectors/encodedTexts';
import { MAX_DEPTH } from './detectors/plainSecret';
import { mergeSpans, type Detector, type Span } from './detectors/span';
import type { DerivedText } from './derivedText';
import { seenText, withoutMarks } from './seenText';

type Report = (span: Span) => void;

/** Base64 in Base64 in Base64. */
const MAX_BASE64 = 3;
/** UTF-16 units of a text whose search takes some milliseconds. */
const MIN_PAUSE = 16 * 1024;

// eslint-disable-next-line no-control-regex
const BINARY = /[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/;
/** A text that the bytes of a document, such as a PDF, don't hold by chance. */
const NO_CHANCE = /^[\x20-\x7e]{10,}$/;

/** Finds in all forms of a text but its own what detectors recognize. Yields after each piece of work of some milliseconds. */
export function* findInOtherForms(text: string, detectors: readonly Detector[], add: Report): Steps<void> {
  yield* find(text, detectors, add, { depth: 0, known: new Map() });
}

/** A form of a text, and where to report what is found in it. */
interface Form {
  readonly text: string;
  readonly report: Report;
}

/** The depth in Base64, and what was found in its texts. */
interface Progress {
  readonly depth: number;
  readonly known: Map<string, readonly Span[]>;
}

function* find(text: string, detectors: readonly Detector[], add: Report, progress: Progress): Steps<void> {
  const forms: Form[] = [{ text, report: add }];
  for (const form of yield* otherForms(text, add)) {
    yield* runDetectors(form.text, detectors, form.report);
    forms.push(form);
  }
  const marked = yield* withoutMarks(text);
  // Code has the same characters.
  if (marked)
    yield* runDetectors(
      marked.text,
      detectors,
      reportIn(text, marked, (span) => span.kind === 'format' && add(span)),
    );
  if (progress.depth === MAX_BASE64) return;
  for (const form of forms)
    for (const { start, end, base64 } of base64Parts(form.text)) {
      const found = progress.known.get(base64) ?? (yield* findInBase64(base64, detectors, progress));
      // The encoded text is replaced as a whole: a part of it would only be damaged.
      for (const span of found) form.report({ ...span, start, end });
      yield;
    }
}

/** Returns what was found in Base64, each with its text. */
function* findInBase64(base64: string, detectors: readonly Detector[], { depth, known }: Progress): Steps<readonly Span[]> {
  const decoded = textOfBase64(base64) ?? '';
  const isBinary = BINARY.test(decoded);
  const spans: Span[] = [];
  const report: Report = (span) => {
    const { kind, start, end, secret = decoded.slice(start, end) } = span;
    if (kind !== 'uncertain' && (kind !== 'personal' || !isBinary || NO_CHANCE.test(secret))) spans.push(span);
  };
  if (decoded !== '') {
    yield* runDetectors(decoded, detectors, report);
    yield* find(decoded, detectors, report, { depth: depth + 1, known });
  }
  const found = mergeSpans(spans).map((span) => ({ ...span, secret: span.secret ?? decoded.slice(span.start, span.end) }));
  known.set(base64, found);
  return found;
}

/** Returns a text as it's seen, and without each level of escapes. */
function* otherForms(text: string, add: Report): Steps<readonly Form[]> {
  const forms: Form[] = [];
  let last: Form = { text, report: add };
  const derive = (derived: DerivedText): Form => (last = { text: derived.text, report: reportIn(last.text, derived, last.report) });
  const seen = yield* seenText(text);
  if (seen) forms.push(derive(seen));
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const decoded = yield* withoutEscapes(last.text);
    if (!decoded) break;
    derive(decoded);
    const decodedSeen = yield* seenText(decoded.text);
    forms.push(decodedSeen ? derive(decodedSeen) : last);
  }
  return forms;
}

/** Returns a function that reports what is found in a derived text in its source, with the text that was found if it's another one there. */
const reportIn =
  (source: string, { text, startOf, endOf }: DerivedText, add: Report): Report =>
  (span) => {
    const [start, end] = [startOf(span.start), endOf(span.end)];
    const found = text.slice(span.start, span.end);
    const secret = span.secret ?? (source.slice(start, end) === found ? undefined : found);
    add({ ...span, start, end, ...defined({ secret }) });
  };

function* runDetectors(text: string, detectors: readonly Detector[], report: Report): Steps<void> {
  for (const detect of detectors) {
    detect(text, report);
    if (text.length > MIN_PAUSE) yield;
  }
}
