/** Versions of files as numbers, which pass between threads without an object for each. */
import type { FileVersion } from '../../../files/read/sessionFile';

/** Size, time, device and inode of each file. */
export type VersionNumbers = Float64Array<ArrayBuffer>;

/** Numbers of one file. */
export const NUMBERS = 4;
/** Stands for a size: there is no file; or `statFileVersions` must be used, which also gives the reason why a file can't be read. */
export const [MISSING, UNKNOWN] = [-1, -2];

/**
 * Returns a version; `undefined` if there is no file; `null` if `statFileVersions` must be used.
 *
 * @param before returned if it's the same version
 */
export function versionAt(numbers: VersionNumbers, index: number, before: FileVersion | undefined): FileVersion | undefined | null {
  const at = index * NUMBERS;
  const [size, mtimeMs] = [numbers[at]!, numbers[at + 1]!];
  if (size < 0) return size === MISSING ? undefined : null;
  const ino = `${numbers[at + 2]}:${numbers[at + 3]}`;
  const isSame = before?.size === size && before.mtimeMs === mtimeMs && before.ino === ino && before.facts === undefined;
  return isSame ? before : { size, mtimeMs, ino };
}
