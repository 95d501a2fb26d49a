/** JSON of values from files, which can be nested more deeply than `JSON.stringify` can write. */

/** Returns a value as JSON; an ellipsis if it's nested too deeply to serialize, by thousands of levels. */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    return '…';
  }
}
