/**
 * The beginning of a text as a string of its own. A slice would keep the whole text in memory for as long
 * as the slice lives, and heads live long.
 */
export function excerpt(text: string, length: number): string {
  return text.length <= length ? text : copyString(text.slice(0, length));
}

/** The end of a text, likewise. */
export function excerptEnd(text: string, length: number): string {
  return text.length <= length ? text : copyString(text.slice(-length));
}

/** The same text, not as a part of another. */
export const copyString = (text: string): string => JSON.parse(JSON.stringify(text)) as string;
