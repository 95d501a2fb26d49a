import { oneLine } from './oneLine';
import { withoutMarkdown } from './plainText';

/** Returns a message as one line of prose, of at most `length` UTF-16 units: without the marks of Markdown, unless it has nothing else. */
export function plainLine(text: string, length: number): string {
  // The marks that are removed make room, so twice the length is read.
  const line = oneLine(text, length * 2);
  return oneLine(withoutMarkdown(line).replace(/^(?:[-*+>] +)+(?=\S)/, ''), length) || line;
}
