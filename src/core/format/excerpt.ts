/**
 * The beginning of a text as a string of its own. A slice would keep the whole text in memory for as long
 * as the slice lives, and heads live long.
 */
export function excerpt(text: string, length: number): string {
  if (text.length <= length) return text;
  return JSON.parse(JSON.stringify(text.slice(0, length))) as string;
}
