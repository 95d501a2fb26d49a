/** Searches a long text in steps: a pattern that it doesn't have takes some milliseconds for each ten megabytes. */
import type { Steps } from '../session/steps';

/** UTF-16 units that are searched at once. */
export const SEARCHED_UNITS = 1024 * 1024;

/**
 * Returns true if a text has a match.
 *
 * @param longest UTF-16 units of the longest match; a longer one isn't found where it's cut
 */
export function* hasMatch(text: string, pattern: RegExp, longest: number): Steps<boolean> {
  for (let from = 0; from < text.length; from += SEARCHED_UNITS) {
    if (from > 0) yield;
    if (text.slice(from, from + SEARCHED_UNITS + longest).search(pattern) >= 0) return true;
  }
  return false;
}
