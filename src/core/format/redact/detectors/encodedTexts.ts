/** Finds secrets in texts that are encoded: with escapes of addresses, HTML and programming languages, or in Base64. */
import { characterOf, MAX_DEPTH } from './plainSecret';
import type { Detector, Span } from './span';

/** Escapes of a character, those of addresses in UTF-8. Those of line breaks, tabs and quotes are part of the rules' own forms. */
const ESCAPE =
  /%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){1,3}|%[0-9A-Fa-f]{2}|&(?:quot|apos|lt|gt|amp|#\d{2,4}|#[xX][0-9A-Fa-f]{2,4});|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|\/)/g;
/** Between two lines: no rule finds anything across it. */
const BETWEEN = '\n\0\n';

/** Lines as those in which mail and many programs write Base64, or one word. */
const BASE64 =
  /(?<![A-Za-z0-9+/_-])(?:(?:[A-Za-z0-9+/]{60,76}(?:\r?\n|(?:\\r)?\\n)){1,4000}[A-Za-z0-9+/]{1,76}|[A-Za-z0-9+/_-]{20,})={0,2}/g;
/** Characters of Base64 that show whether it's a text. */
const BEGINNING = 64;
/** Control characters of texts: those of UTF-16, tabs, line breaks and colors. */
const CONTROLS = '\0\t\n\r\x1b';
// eslint-disable-next-line no-control-regex
const BINARY = /[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/;
/** A text that the bytes of a document, such as a PDF, don't hold by chance. */
const NO_CHANCE = /^[\x20-\x7e]{10,}$/;

/** Returns a detector that finds in encoded texts what others find in plain ones. */
export function encodedTexts(detectors: readonly Detector[]): Detector {
  const findEscaped = (text: string, add: (span: Span) => void, depth: number): void => {
    const decoded = withoutEscapes(text);
    if (!decoded) return;
    const report = (span: Span): void => add({ ...span, start: decoded.sourceOf(span.start), end: decoded.sourceOf(span.end) });
    for (const detect of detectors) detect(decoded.text, report);
    if (depth < MAX_DEPTH) findEscaped(decoded.text, report, depth + 1);
  };
  const findInBase64: Detector = (text, add) => {
    for (const { index: start, 0: match } of text.matchAll(BASE64)) {
      const decoded = textOfBase64(match);
      if (decoded === undefined) continue;
      // The encoded text is replaced as a whole: a part of it would only be damaged.
      const isBinary = BINARY.test(decoded);
      const report = ({ rule, kind, start: from, end, secret = decoded.slice(from, end) }: Span): void => {
        if (kind === 'personal' && isBinary && !NO_CHANCE.test(decoded.slice(from, end))) return;
        if (kind !== 'uncertain') add({ start, end: start + match.length, rule, kind, secret });
      };
      for (const detect of detectors) detect(decoded, report);
    }
  };
  return (text, add) => {
    findEscaped(text, add, 1);
    findInBase64(text, add);
  };
}

interface DecodedLines {
  readonly text: string;
  /** Returns the position in the encoded text. */
  readonly sourceOf: (position: number) => number;
}

/** Decodes the lines of a text that have escapes; `undefined` if there are none. */
function withoutEscapes(text: string): DecodedLines | undefined {
  const parts: string[] = [];
  /** From each of these positions on, up to the next, both texts are the same. */
  const here: number[] = [];
  const there: number[] = [];
  let length = 0;
  let lineEnd = -1;
  let from = 0;
  const anchor = (source: number): void => {
    here.push(length);
    there.push(source);
  };
  const put = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  for (const { index, 0: escape } of text.matchAll(ESCAPE)) {
    if (index >= lineEnd) {
      if (lineEnd >= 0) put(text.slice(from, lineEnd) + BETWEEN);
      from = text.lastIndexOf('\n', index) + 1;
      const end = text.indexOf('\n', index);
      lineEnd = end < 0 ? text.length : end;
      anchor(from);
    }
    put(text.slice(from, index) + characterOf(escape));
    from = index + escape.length;
    anchor(from);
  }
  if (lineEnd < 0) return undefined;
  put(text.slice(from, lineEnd));
  const sourceOf = (position: number): number => {
    let low = 0;
    for (let high = here.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if ((here[middle] ?? 0) <= position) low = middle;
      else high = middle;
    }
    return (there[low] ?? 0) + position - (here[low] ?? 0);
  };
  return { text: parts.join(''), sourceOf };
}

/** Returns the text in Base64; `undefined` if it isn't one. If it isn't in UTF-8, the characters beyond ASCII are those of its bytes. */
function textOfBase64(match: string): string | undefined {
  const base64 = match
    .replaceAll(/\\[rn]|[\r\n=]/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const beginning = decode(base64.slice(0, BEGINNING));
  if (beginning === undefined || !Array.from(beginning).every(isOfText)) return undefined;
  // PowerShell encodes commands in UTF-16.
  const bytes = decode(base64);
  return bytes === undefined ? undefined : textOfBytes(bytes.replaceAll('\0', ''));
}

/** Decodes characters that are the bytes of a text in UTF-8. */
function textOfBytes(bytes: string): string {
  // eslint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(bytes)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  } catch {
    return bytes;
  }
}

const isOfText = (character: string): boolean => (character >= ' ' && character !== '\x7f') || CONTROLS.includes(character);

function decode(base64: string): string | undefined {
  try {
    return atob(base64.slice(0, base64.length % 4 === 1 ? -1 : undefined));
  } catch {
    // A dash or an underscore isn't in this form of Base64.
    return undefined;
  }
}
