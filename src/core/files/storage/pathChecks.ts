/** Checks of paths that come from a record: a record is data, and its paths are checked before they are used. */
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** A longer path is no system's. */
const MAX_LENGTH = 32 * 1024;

/** True for an absolute path in its normal form: without `.`, `..`, doubled or trailing separators, or NUL. */
export function isNormalAbsolutePath(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && isAbsolute(value) && !value.includes('\0') && resolve(value) === value;
}

/** True if `path` lies somewhere below `folder`. Compares names only; links aren't resolved. */
export function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
