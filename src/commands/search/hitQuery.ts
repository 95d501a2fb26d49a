/** The query that marks a chosen hit in the context view. Pure. */
import type { FindQuery } from '../../core/index';
import type { Snippet } from './searchSnippet';

/** Returns the query that finds the texts that matched; `undefined` if the hit has none. */
export function findQueryOf({ snippet, marks }: Snippet): FindQuery | undefined {
  const texts = new Map<string, string>();
  for (const [start, end] of marks) {
    const text = snippet.slice(start, end).trim();
    if (text !== '') texts.set(text.toLowerCase(), text);
  }
  if (texts.size === 0) return undefined;
  return { text: [...texts.values()].join(' '), matchCase: false, wholeWord: false, anyWord: texts.size > 1 };
}
