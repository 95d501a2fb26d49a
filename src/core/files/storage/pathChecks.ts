/** Checks of paths that come from a record. A record is data, so its paths are checked before use. */
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** UTF-16 units. No system supports longer paths. */
const MAX_LENGTH = 32 * 1024;

/** True for an absolute path in normal form: without `.`, `..`, doubled or trailing separators, or NUL. */
export function isNormalAbsolutePath(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && isAbsolute(value) && !value.includes('\0') && resolve(value) === value;
}

/** True if `path` is below `folder`, at any depth. Compares names only; links aren't resolved. */
export function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
