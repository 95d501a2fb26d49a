import { beginning } from './characters';
import { sanitizeText } from './sanitizeText';

/** Returns the sanitized text as one line of at most `length` UTF-16 units, with an ellipsis if it is longer. */
export function oneLine(text: string, length: number): string {
  // Reads only the beginning, so that the cost doesn't grow with the text.
  const line = sanitizeText(beginning(text, length * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > length ? `${beginning(line, length - 1)}…` : line;
}
