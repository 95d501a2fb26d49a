/**
 * Splits text into words, the same way for the index, the search without an index, and the marks in snippets: runs of
 * letters and digits, in lower case and without accents. In scripts without spaces between words, each character is one.
 */

export interface Word {
  readonly word: string;
  /** In UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
}

const ASCII_RUNS = /[a-z\d]+/gi;
const RUNS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
export const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
// eslint-disable-next-line no-control-regex -- the range is that of ASCII
const NON_ASCII = /[^\x00-\x7f]/;

export function fold(text: string): string {
  const lower = text.toLowerCase();
  return NON_ASCII.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC') : lower;
}

export function* wordsOf(text: string): Generator<Word> {
  if (NON_ASCII.test(text)) yield* unicodeWords(text);
  else yield* asciiWords(text, 0);
}

/** The words of a text. Those before the first occurrence of any of `some` may be missing. */
export function* wordsFrom(text: string, some: readonly string[]): Generator<Word> {
  if (NON_ASCII.test(text)) yield* unicodeWords(text);
  else {
    const lower = text.toLowerCase();
    const positions = some.map((word) => lower.indexOf(word)).filter((position) => position >= 0);
    if (positions.length > 0) yield* asciiWords(text, runAround(lower, Math.min(...positions)));
  }
}

/** The start of the run of letters and digits around a position. */
function runAround(lower: string, position: number): number {
  let from = position;
  while (from > 0 && isLetterOrDigit(lower.charCodeAt(from - 1))) from--;
  return from;
}

const isLetterOrDigit = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);

function* asciiWords(text: string, from: number): Generator<Word> {
  const runs = new RegExp(ASCII_RUNS);
  runs.lastIndex = from;
  for (let match = runs.exec(text); match; match = runs.exec(text))
    yield { word: match[0].toLowerCase(), start: match.index, end: runs.lastIndex };
}

function* unicodeWords(text: string): Generator<Word> {
  for (const match of text.matchAll(RUNS)) {
    const [run] = match;
    let begun = match.index;
    let at = match.index;
    if (UNSPACED_SCRIPTS.test(run))
      for (const character of run) {
        const end = at + character.length;
        if (UNSPACED_SCRIPTS.test(character)) {
          yield* foldedWord(text, begun, at);
          yield* foldedWord(text, at, end);
          begun = end;
        }
        at = end;
      }
    yield* foldedWord(text, begun, match.index + run.length);
  }
}

/** Marks alone, such as the vowels of Thai, are no word. */
function* foldedWord(text: string, start: number, end: number): Generator<Word> {
  const word = fold(text.slice(start, end));
  if (word !== '') yield { word, start, end };
}

/** A text's words separated by spaces, which the index splits the same way. */
export function spacedWords(text: string): string {
  let words = '';
  for (const { word } of wordsOf(text)) words += `${word} `;
  return words;
}
