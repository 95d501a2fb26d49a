/**
 * Untrusted text as Markdown. Each function returns Markdown that every renderer shows as text or code, and that
 * ends where it ends: it opens no heading, HTML, image, link or maths, and no fence that it doesn't close.
 *
 * The escapes don't depend on context: outside code, `<`, backtick, `$` and `&` are only written as entities, square
 * brackets only behind a backslash, and what a linkifier could take for an address only as code. So there is nothing
 * that could swallow an escape, and renderers that differ in their grammar see the same.
 */
import { sanitizeText } from './sanitizeText';

/** As `plain`, and every line end, those of Unicode included, is `\n`. */
export function cleanText(text: string): string {
  return sanitizeText(text).replace(/[\u2028\u2029]/g, '\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '`': '&#96;', $: '&#36;' };
const escapeCharacter = (mark: string): string => ENTITIES[mark] ?? mark.replace(/[^]/g, '\\$&');

/** Text without line breaks and addresses as Markdown that shows it as it is. */
export const escapeText = (text: string): string => text.replace(/[<>&`$\\*_[\]#|~]/g, escapeCharacter);

/** As `escapeText`, but what emphasis, quotes and tables are made of stays. */
export const escapeMarkup = (text: string): string => text.replace(/[<&`$\\[\]]|~{3,}/g, escapeCharacter);

/**
 * A run of what addresses consist of. Linkifiers only act on `//`, `www.` and `@`
 * (GFM 6.9; linkify-it without `fuzzyLink`, as VS Code sets it).
 */
export const ADDRESS_RUN = '[\\w\\-.~:/?#@!$&+,;=%\\u00c0-\\u024f]+';
const ADDRESS_MARK = /\/\/|@|www\./i;

/** A run with its address, if it has one, as code; `escape` writes the rest. */
export function addressAsCode(run: string, escape: (text: string) => string): string {
  if (!ADDRESS_MARK.test(run)) return escape(run);
  let from = 0;
  let to = run.length;
  while (ADDRESS_PUNCTUATION.has(run.charAt(from))) from++;
  while (to > from && ADDRESS_PUNCTUATION.has(run.charAt(to - 1))) to--;
  return `${escape(run.slice(0, from))}${inlineCode(run.slice(from, to))}${escape(run.slice(to))}`;
}

/** Punctuation of the sentence that an address stands in, and marks of emphasis. */
const ADDRESS_PUNCTUATION = new Set('_~.,:;!?');

/** Joins pieces of Markdown; the backticks of two pieces of code never become one run. */
export function joinMarkdown(pieces: Iterable<string>): string {
  const line: string[] = [];
  for (const piece of pieces) {
    if (piece.startsWith('`') && line.at(-1)?.endsWith('`')) line.push(' ');
    if (piece !== '') line.push(piece);
  }
  return line.join('');
}

const RUNS = new RegExp(`(${ADDRESS_RUN})|[^]`, 'gu');

/** Text as one line in which Markdown reads nothing. */
export function inlineText(text: string): string {
  const pieces = Array.from(oneLine(text).matchAll(RUNS), ([piece, run]) => (run === undefined ? escapeText(piece) : addressAsCode(run, escapeText)));
  // At the start of a line these would begin a list, or underline a heading.
  return joinMarkdown(pieces).replace(/^(\d{0,9})([-+=.)])(?=[\s=-]|$)/, '$1\\$2');
}

/** Text as inline code, in one line; empty if there is nothing to see. */
export function inlineCode(text: string): string {
  const line = oneLine(text);
  if (line === '') return '';
  const ticks = '`'.repeat(longestRun(line, '`') + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();

/** Text between fences that are longer than any in it. `language` is a word of ours, never of the text's. */
export function codeBlock(text: string, language = ''): string {
  const clean = cleanText(text);
  const fence = '`'.repeat(Math.max(3, longestRun(clean, '`') + 1));
  return `${fence}${language}\n${clean.replace(/\n$/, '')}\n${fence}`;
}

export function blockQuote(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/**
 * A text in the middle of which something is left out when it is longer than `limit` UTF-16 units:
 * two thirds from its start, one third from its end. `note` says how many were left out.
 */
export function truncateMiddle(text: string, limit: number, note: (characters: number) => string): string {
  if (text.length <= limit) return text;
  const start = codePointBoundary(text, Math.floor((limit * 2) / 3));
  const end = codePointBoundary(text, text.length - Math.floor(limit / 3));
  return `${text.slice(0, start)}\n${note(end - start)}\n${text.slice(end)}`;
}

/** An index that does not part a surrogate pair. */
function codePointBoundary(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const one of text) {
    run = one === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
