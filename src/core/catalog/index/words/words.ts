/**
 * Splits text into words, the same way for the index, the search without an index, and the marks in snippets: runs of
 * letters and digits, in lower case and without accents. In scripts without spaces between words, each character is one. A name such as
 * `getRefreshToken` is one word, which has its parts besides.
 */

export interface Word {
  readonly word: string;
  /** In UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
  /** The words that a name consists of, see {@link nameParts}. */
  readonly parts?: readonly string[];
}

/** Bytes of a longer name, which is rather encoded data, and of a shorter part, which says little. */
export const MAX_NAME_BYTES = 64;
export const MIN_PART_BYTES = 3;

const HAS_CAPITAL = /.[A-Z]/s;
const HAS_PARTS = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/;
const PART_BEGINS = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** Returns the parts of a name in which capitals begin words, in lower case: `parse` and `html` of `parseHTML`. Finds the same as `RepeatedWords`. */
function nameParts(name: string): readonly string[] | undefined {
  if (name.length > MAX_NAME_BYTES || !HAS_CAPITAL.test(name)) return undefined;
  const folded = foldWithCapitals(name);
  if (!HAS_PARTS.test(folded)) return undefined;
  return folded
    .split(PART_BEGINS)
    .filter((part) => part.length >= MIN_PART_BYTES)
    .map((part) => part.toLowerCase());
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

/** Like {@link fold}, but the capitals A to Z stay, where they are still at their places. */
function foldWithCapitals(name: string): string {
  const folded = fold(name);
  const text = NON_ASCII.test(name) ? name.replace(/\p{M}/gu, '') : name;
  if (folded.length !== text.length) return folded;
  let kept = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const isCapital = character >= 'A' && character <= 'Z' && folded.charAt(at) === character.toLowerCase();
    kept += isCapital ? character : folded.charAt(at);
  }
  return kept;
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
  for (let match = runs.exec(text); match; match = runs.exec(text)) yield wordAt(match[0], match[0].toLowerCase(), match.index);
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
  const name = text.slice(start, end);
  const word = fold(name);
  if (word !== '') yield wordAt(name, word, start);
}

function wordAt(name: string, word: string, start: number): Word {
  const end = start + name.length;
  const parts = nameParts(name);
  return parts ? { word, start, end, parts } : { word, start, end };
}

/** A text's words separated by spaces, which the index splits the same way. They keep their capitals, of which it makes the parts of names. */
export function spacedWords(text: string): string {
  let words = '';
  for (const { start, end } of wordsOf(text)) words += `${foldWithCapitals(text.slice(start, end))} `;
  return words;
}
