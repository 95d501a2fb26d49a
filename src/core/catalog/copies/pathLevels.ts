/** The folders above a path. */
import { basename, dirname, join } from 'node:path';

/** Folders above a path that are looked up. */
const MAX_LEVELS = 64;

/** Returns a path and the folders above it, each with the rest of the path. */
export function levelsOf(path: string): { readonly at: string; readonly rest: string }[] {
  const levels = [{ at: path, rest: '' }];
  for (let at = path, rest = ''; dirname(at) !== at && levels.length < MAX_LEVELS;) {
    rest = join(basename(at), rest);
    at = dirname(at);
    levels.push({ at, rest });
  }
  return levels;
}
