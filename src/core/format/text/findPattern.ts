/** Search queries as regular expressions. Shared by the host of the context view and its page. */

export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
}

/** The longest query in UTF-16 units; the page's input accepts no more. */
export const MAX_FIND_LENGTH = 1000;

/**
 * Returns a global pattern in which white space matches any white space; `undefined` for a blank query. Matching takes
 * time proportional to the text: a match that begins with white space begins at the start of a run, so that each run is
 * tried once.
 */
export function findPattern({ text: given, matchCase, wholeWord }: FindQuery): RegExp | undefined {
  const text = given.slice(0, MAX_FIND_LENGTH);
  if (!/\S/.test(text)) return undefined;
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+').replace(/^\\s\+/, '(?<!\\s)\\s+');
  // A word boundary is required only where the query has a word character: `$x` may follow anything.
  const before = wholeWord && /^[\p{L}\p{N}_]/u.test(text) ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = wholeWord && /[\p{L}\p{N}_]$/u.test(text) ? '(?![\\p{L}\\p{N}_])' : '';
  // Without this, every character of a run of white space would be tried as a start, which takes quadratic time.
  const start = /^\s/.test(text) ? '(?<!\\s)' : before;
  return new RegExp(`${start}${literal}${after}`, matchCase ? 'gu' : 'giu');
}
