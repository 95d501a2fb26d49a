/**
 * Untrusted text as Markdown. Each function returns Markdown that every renderer shows as text or code, and that
 * affects nothing after it: it opens no heading, HTML, image, link or maths, and no fence that it doesn't close.
 *
 * The escapes don't depend on context. Outside code, `<`, backtick, `$` and `&` are written only as entities, square
 * brackets only after a backslash, and anything that a linkifier could take for an address only as code. So nothing can
 * swallow an escape, and renderers with different grammars show the same.
 */
import { beginning, boundaryAfter, boundaryBefore } from '../characters';
import { sanitizeText } from '../sanitizeText';

/** Sanitizes a text and turns every line end, including those of Unicode, into `\n`. */
export function cleanText(text: string): string {
  return sanitizeText(text).replace(/[\u2028\u2029]/g, '\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '`': '&#96;', $: '&#36;' };
const escapeCharacter = (mark: string): string => ENTITIES[mark] ?? mark.replace(/[^]/g, '\\$&');

/** Escapes text without line breaks and addresses. */
export const escapeText = (text: string): string => text.replace(/[<>&`$\\*_[\]#|~]/g, escapeCharacter);

/** Escapes like `escapeText`, but keeps the characters of emphasis, quotes and tables. */
export const escapeMarkup = (text: string): string => text.replace(/[<&`$\\[\]]|~{3,}/g, escapeCharacter);

/**
 * Matches a run of characters that occur in addresses. Linkifiers act only on `//`, `www.` and `@`
 * (GFM 6.9; linkify-it without `fuzzyLink`, as VS Code sets it).
 */
const ADDRESS_CHARACTERS = '\\w\\-.~:/?#@!$&+,;=%\\u00c0-\\u024f';
export const ADDRESS_RUN = `[${ADDRESS_CHARACTERS}]+`;
const ADDRESS_MARK = /\/\/|@|www\./i;

/** Returns a run with its address, if it has one, as code; `escape` is applied to the rest. */
export function addressAsCode(run: string, escape: (text: string) => string): string {
  if (!ADDRESS_MARK.test(run)) return escape(run);
  let from = 0;
  let to = run.length;
  while (ADDRESS_PUNCTUATION.has(run.charAt(from))) from++;
  while (to > from && ADDRESS_PUNCTUATION.has(run.charAt(to - 1))) to--;
  return `${escape(run.slice(0, from))}${wholeInlineCode(run.slice(from, to))}${escape(run.slice(to))}`;
}

/** Punctuation of the surrounding sentence, and emphasis marks. */
const ADDRESS_PUNCTUATION = new Set('_~.,:;!?');

/** Joins pieces of Markdown without merging the backticks of two pieces of code into one run. */
export function joinMarkdown(pieces: Iterable<string>): string {
  const line: string[] = [];
  for (const piece of pieces) {
    if (piece.startsWith('`') && line.at(-1)?.endsWith('`')) line.push(' ');
    if (piece !== '') line.push(piece);
  }
  return line.join('');
}

/** Matches a run of other characters than those and `except`. A match for each character takes ten times as long. */
export const otherRun = (except = ''): string => `[^${ADDRESS_CHARACTERS}${except}]+`;

const RUNS = new RegExp(`(${ADDRESS_RUN})|${otherRun()}`, 'gu');

/** UTF-16 units of a name, a label or another text in one line. Nothing that is meant for one line is longer. */
export const MAX_INLINE = 4_000;

const inlineBeginning = (text: string): string => (text.length <= MAX_INLINE ? text : `${beginning(text, MAX_INLINE)}…`);

/** Escapes text as a single line of Markdown without any markup. Only the beginning of a text that is too long for a line is kept. */
export const inlineText = (text: string): string => wholeInlineText(inlineBeginning(text));

/** Returns text as inline code in one line, cut like {@link inlineText}; empty if it is blank. */
export const inlineCode = (text: string): string => wholeInlineCode(inlineBeginning(text));

/** Does what {@link inlineText} does, for a part of a text that is bounded as a whole. */
export function wholeInlineText(text: string): string {
  const pieces = Array.from(cleanLine(text).matchAll(RUNS), ([piece, run]) =>
    run === undefined ? escapeText(piece) : addressAsCode(run, escapeText),
  );
  // At the start of a line these would begin a list, or underline a heading.
  return joinMarkdown(pieces).replace(/^(\d{0,9})([-+=.)])(?=[\s=-]|$)/, '$1\\$2');
}

/** Does what {@link inlineCode} does, for a part of a text that is bounded as a whole. */
export function wholeInlineCode(text: string): string {
  const line = cleanLine(text);
  if (line === '') return '';
  const ticks = '`'.repeat(longestBacktickRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();

/** Returns text between fences that are longer than any in it. `language` must not come from untrusted text. */
export function codeBlock(text: string, language = ''): string {
  const clean = cleanText(text);
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(clean) + 1));
  return `${fence}${language}\n${clean.replace(/\n$/, '')}\n${fence}`;
}

export function blockQuote(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/**
 * Shortens a text that is longer than `limit` UTF-16 units: keeps two thirds of the limit from its start and one third
 * from its end. `note` returns the text in between, for the number of units left out.
 */
export function truncateMiddle(text: string, limit: number, note: (characters: number) => string): string {
  if (text.length <= limit) return text;
  const start = boundaryBefore(text, Math.floor((limit * 2) / 3));
  const end = boundaryAfter(text, text.length - Math.floor(limit / 3));
  return `${text.slice(0, start)}\n${note(end - start)}\n${text.slice(end)}`;
}

function longestBacktickRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (const one of text) {
    run = one === '`' ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
