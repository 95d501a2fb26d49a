/** JSON of values that files brought along: a file can nest deeper than anything can be written again. */

/** A value as JSON; an ellipsis for one that is nested too deeply, by thousands of levels. */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    return '…';
  }
}
