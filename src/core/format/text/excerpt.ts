import { beginning } from './characters';

/**
 * Returns the beginning of a text, with at most `length` UTF-16 units, as a separate string. A slice would keep the whole text in memory
 * for as long as the slice lives, and heads live long.
 */
export function excerpt(text: string, length: number): string {
  return text.length <= length ? text : copyString(beginning(text, length));
}

/** Returns an equal string that isn't a slice of another one. */
export const copyString = (text: string): string => JSON.parse(JSON.stringify(text)) as string;
