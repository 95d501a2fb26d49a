/** What somebody looks for in a text, as a pattern. Pure; the context view's host and its page use the same. */

export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
}

/** UTF-16 units of a text that are looked for; the page's input takes no more. */
export const MAX_FIND_LENGTH = 1000;

/**
 * Finds each match (flag `g`). White space stands for any white space. `undefined` if there is nothing to look for.
 * Takes time in proportion to the text: white space that begins a match begins where its run does, so that each run is
 * looked at once.
 */
export function findPattern({ text: given, matchCase, wholeWord }: FindQuery): RegExp | undefined {
  const text = given.slice(0, MAX_FIND_LENGTH);
  if (!/\S/.test(text)) return undefined;
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+').replace(/^\\s\+/, '(?<!\\s)\\s+');
  // A word's end is one only where the text has a letter there: `$x` is found after anything.
  const before = wholeWord && /^[\p{L}\p{N}_]/u.test(text) ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = wholeWord && /[\p{L}\p{N}_]$/u.test(text) ? '(?![\\p{L}\\p{N}_])' : '';
  // A match that begins with white space begins where that does: else each of its characters would be tried, and a long run takes the square of its length.
  const start = /^\s/.test(text) ? '(?<!\\s)' : before;
  return new RegExp(`${start}${literal}${after}`, matchCase ? 'gu' : 'giu');
}
