/**
 * Text → words, the same for the index, the search without an index, and the marks in snippets: runs of letters and
 * digits, in small letters and without accents; of scripts that put no spaces between words each character is one.
 */

export interface Word {
  readonly word: string;
  /** In UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
}

const RUNS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
// eslint-disable-next-line no-control-regex -- what is not ASCII is what is asked
const OTHER_THAN_ASCII = /[^\x00-\x7f]/;

export function fold(text: string): string {
  const lower = text.toLowerCase();
  return OTHER_THAN_ASCII.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC') : lower;
}

export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(RUNS)) {
    const [run] = match;
    if (!SPACELESS.test(run)) {
      yield { word: fold(run), start: match.index, end: match.index + run.length };
      continue;
    }
    let begun = -1;
    let at = match.index;
    const other = (): Word[] => (begun < 0 ? [] : [{ word: fold(text.slice(begun, at)), start: begun, end: at }]);
    for (const character of run) {
      if (SPACELESS.test(character)) {
        yield* other();
        begun = -1;
        yield { word: fold(character), start: at, end: at + character.length };
      } else if (begun < 0) begun = at;
      at += character.length;
    }
    yield* other();
  }
}

/** A text's words with spaces between them: the index can split that as we do. */
export function spacedWords(text: string): string {
  let words = '';
  for (const { word } of wordsOf(text)) words += `${word} `;
  return words;
}
