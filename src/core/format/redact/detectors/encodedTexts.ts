/** Decodes texts in which secrets may be: with escapes of addresses, HTML and programming languages, and in Base64. */
import type { Steps } from '../../session/steps';
import { BETWEEN, changedLines, type DerivedText } from '../derivedText';
import { characterOf, HTML_REFERENCE } from './plainSecret';

/** Escapes of a character, those of addresses in UTF-8. Those of line breaks, tabs and quotes are part of the rules' own forms. */
const ESCAPE = new RegExp(
  String.raw`%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){1,3}|%[0-9A-Fa-f]{2}|${HTML_REFERENCE}|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|[01][0-7]{2}|/)`,
  'g',
);

/** Words that may be Base64, or lines of it. */
const WORD = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g;
/** UTF-16 units of Base64 that may hold a secret. */
const MIN_LENGTH = 20;
/** Between two lines, as mail, files of settings and many programs write Base64, maybe with the mark of a quote; the break may be an escape. */
const BREAK = /^(?:[ \t]{0,8}\r?\n[ \t>]{0,16}|(?:\\r)?\\)$/;
const MAX_BREAK = 32;
/** A last line that is shorter than a word. */
const LAST_LINE = /(?:[ \t]{0,8}\r?\n[ \t>]{0,16}|(?:\\r)?\\n)[A-Za-z0-9+/_-]{1,15}(?![A-Za-z0-9+/_-])={0,2}/y;
/** Characters of Base64 that show whether it's a text. */
const BEGINNING = 64;
/** The beginning of longer Base64 may be missing, since a text is searched in pieces. */
const MIN_CUT = 400;
/** Control characters of texts: those of UTF-16, tabs, line breaks and colors. */
const CONTROLS = '\0\t\n\r\x1b';
/** Texts between the bytes of other data, longer than those that are there by chance. */
const TEXT_IN_BYTES = /[\t\n\r\x20-\x7e]{12,}/g;

/** Decodes the lines of a text that have escapes; `undefined` if there are none. */
export const withoutEscapes = (text: string): Steps<DerivedText | undefined> => changedLines(text, ESCAPE, characterOf);

/** A part of a text that may be Base64. */
interface EncodedPart {
  readonly start: number;
  readonly end: number;
  readonly base64: string;
}

/** Returns the words of a text that may be Base64, and the lines of which several may be one. */
export function* base64Parts(text: string): Generator<EncodedPart, void> {
  let lines: { start: number; end: number; count: number } | undefined;
  for (const { index, 0: word } of text.matchAll(WORD)) {
    const end = index + word.length;
    const isEscape = text.charAt(index - 1) === '\\' && /^[nrt]/.test(word);
    const start = isEscape ? index + 1 : index;
    if (end - start >= MIN_LENGTH) yield partOf(text, start, end);
    if (lines && index - lines.end <= MAX_BREAK && BREAK.test(text.slice(lines.end, index))) {
      lines.end = end;
      lines.count++;
      continue;
    }
    yield* wholeLines(text, lines);
    lines = { start, end, count: 1 };
  }
  yield* wholeLines(text, lines);
}

function* wholeLines(text: string, lines: { start: number; end: number; count: number } | undefined): Generator<EncodedPart, void> {
  if (!lines) return;
  LAST_LINE.lastIndex = lines.end;
  const last = LAST_LINE.exec(text)?.[0] ?? '';
  if (lines.count > 1 || last !== '') yield partOf(text, lines.start, lines.end + last.length);
}

const partOf = (text: string, start: number, end: number): EncodedPart => ({ start, end, base64: text.slice(start, end) });

/**
 * Returns the text in Base64, or the texts between its bytes; `undefined` if there are none. If it isn't in UTF-8, the characters
 * beyond ASCII are those of its bytes.
 */
export function textOfBase64(match: string): string | undefined {
  const base64 = match
    .replaceAll(/\\[rn]|[\s=>]/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const offsets = base64.length < MIN_CUT ? [0] : [0, 1, 2, 3];
  const beginnings = offsets.map((from) => decode(base64.slice(from, from + BEGINNING)));
  // The wrong characters of a longer text may by chance look like one in another encoding.
  const beginning = beginnings.find((bytes) => isText(bytes) && isUtf8(bytes)) ?? beginnings.find(isText);
  const offset = beginning === undefined ? undefined : offsets[beginnings.indexOf(beginning)];
  // PowerShell encodes commands in UTF-16.
  const bytes = decode(base64.slice(offset ?? 0)).replaceAll('\0', '');
  if (offset !== undefined) return textOfBytes(bytes);
  const texts = bytes.match(TEXT_IN_BYTES);
  return texts ? texts.join(BETWEEN) : undefined;
}

/** Decodes characters that are the bytes of a text in UTF-8. */
function textOfBytes(bytes: string): string {
  // eslint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(bytes)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(bytes));
  } catch {
    return bytes;
  }
}

function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < characters.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

const isText = (bytes: string): boolean =>
  Array.from(bytes).every((character) => (character >= ' ' && character !== '\x7f') || CONTROLS.includes(character));

/** True for the bytes of UTF-8, of which the first and the last character may be cut. */
function isUtf8(bytes: string): boolean {
  const whole = bytes.replace(/^[\x80-\xbf]{1,3}/, '');
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(whole), { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Decodes characters of Base64 to those of its bytes. */
const decode = (base64: string): string => atob(base64.slice(0, base64.length % 4 === 1 ? -1 : undefined));
