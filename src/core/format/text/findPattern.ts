/** Search queries as regular expressions. Shared by the host of the context view and its page. */

/** A query for finding text. */
export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** Each word of the text is found by itself. */
  readonly anyWord?: boolean;
}

/** The longest query in UTF-16 units; the page's input accepts no more. */
export const MAX_FIND_LENGTH = 1000;

/**
 * Returns a global pattern that finds each match. White space in the query matches any white space. Matching takes time
 * in proportion to the text: a match that begins with white space begins at the start of its run, so each run is tried
 * once.
 *
 * @returns `undefined` if the query is blank.
 */
export function findPattern({ text: given, matchCase, wholeWord, anyWord = false }: FindQuery): RegExp | undefined {
  const text = given.slice(0, MAX_FIND_LENGTH);
  if (!/\S/.test(text)) return undefined;
  // The longest words are tried first: a match is as long as possible.
  const words = anyWord ? [...new Set(text.trim().split(/\s+/))].sort((a, b) => b.length - a.length) : [text];
  return new RegExp(words.map((word) => wordPattern(word, wholeWord)).join('|'), matchCase ? 'gu' : 'giu');
}

/** Returns the source of a pattern that finds a text literally. */
function wordPattern(text: string, wholeWord: boolean): string {
  const literal = text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/\s+/g, '\\s+')
    .replace(/^\\s\+/, '(?<!\\s)\\s+');
  // A word boundary is required only where the query has a word character: `$x` may follow anything.
  const before = wholeWord && /^[\p{L}\p{N}_]/u.test(text) ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = wholeWord && /[\p{L}\p{N}_]$/u.test(text) ? '(?![\\p{L}\\p{N}_])' : '';
  // Without this, every character of a run of white space would be tried as a start, which takes quadratic time.
  const start = /^\s/.test(text) ? '(?<!\\s)' : before;
  return `${start}${literal}${after}`;
}
