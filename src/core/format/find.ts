/** What somebody looks for in a text, as a pattern. Pure; the context view's host and its page use the same. */

export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
}

/** Finds each match (flag `g`). White space stands for any white space. `undefined` if there is nothing to look for. */
export function findPattern({ text, matchCase, wholeWord }: FindQuery): RegExp | undefined {
  if (!/\S/.test(text)) return undefined;
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  // A word's end is one only where the text has a letter there: `$x` is found after anything.
  const before = wholeWord && /^[\p{L}\p{N}_]/u.test(text) ? '(?<![\\p{L}\\p{N}_])' : '';
  const after = wholeWord && /[\p{L}\p{N}_]$/u.test(text) ? '(?![\\p{L}\\p{N}_])' : '';
  return new RegExp(`${before}${literal}${after}`, matchCase ? 'gu' : 'giu');
}
