/** Texts of hits: removes Markdown markup and marks the matches. Pure. */
import { markdownMarks, withoutRanges, type TextRange } from '../../core/index';

export interface Snippet {
  readonly snippet: string;
  /** In UTF-16 units of the snippet, in order. */
  readonly marks: readonly TextRange[];
}

/** Removes the marks of Markdown and repeated spaces. The marks of matches stay on the same words; one on Markdown alone is dropped. */
export function stripMarkup(text: Snippet): Snippet {
  const plain = strip(text, markdownMarks(text.snippet));
  return strip(
    plain,
    Array.from(plain.snippet.matchAll(/(?<=\s)\s+/g), ({ 0: spaces, index }) => [index, index + spaces.length]),
  );
}

function strip({ snippet, marks }: Snippet, ranges: readonly TextRange[]): Snippet {
  const shifted = (offset: number): number => ranges.reduce((sum, [from, to]) => sum - Math.max(0, Math.min(offset, to) - from), offset);
  return {
    snippet: withoutRanges(snippet, ranges),
    marks: marks.map(([start, end]): TextRange => [shifted(start), shifted(end)]).filter(([start, end]) => end > start),
  };
}

/** Returns a snippet with brackets around its marks, or without if the editor highlights the matches itself. */
export function bracketMarks({ snippet, marks }: Snippet, typed: string): string {
  if (isMarkedByEditor(snippet, typed)) return snippet;
  let text = '';
  let at = 0;
  for (const [start, end] of marks) {
    text += `${snippet.slice(at, start)}‹${snippet.slice(start, end)}›`;
    at = end;
  }
  return text + snippet.slice(at);
}

/** UTF-16 units at the start of a text in which the editor highlights words in typing order. */
const EDITOR_MATCH_RANGE = 60;

/** The editor highlights the typed text where it occurs literally; near the start also words with others in between. */
function isMarkedByEditor(snippet: string, typed: string): boolean {
  const value = typed.trim().toLowerCase();
  const text = snippet.toLowerCase();
  if (value === '') return false;
  if (text.includes(value)) return true;
  const words = value.split(/\s+/);
  return words.length > 1 && areInOrder(words, text.slice(0, EDITOR_MATCH_RANGE));
}

/** Returns whether the words occur in this order, each at the start of a word. A regular expression could take exponential time to fail. */
function areInOrder(words: readonly string[], text: string): boolean {
  let at = 0;
  for (const word of words) {
    while ((at = text.indexOf(word, at)) > 0 && /[\p{L}\p{N}]$/u.test(text.slice(0, at))) at++;
    if (at < 0) return false;
    at += word.length;
  }
  return true;
}
