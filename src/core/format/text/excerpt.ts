/**
 * Returns the first `length` UTF-16 units of a text as a separate string. A slice would keep the whole text in memory
 * for as long as the slice lives, and heads live long.
 */
export function excerpt(text: string, length: number): string {
  return text.length <= length ? text : copyString(text.slice(0, length));
}

/** Returns the last `length` UTF-16 units of a text as a separate string. */
export function excerptEnd(text: string, length: number): string {
  return text.length <= length ? text : copyString(text.slice(-length));
}

/** Returns an equal string that isn't a slice of another one. */
export const copyString = (text: string): string => JSON.parse(JSON.stringify(text)) as string;
