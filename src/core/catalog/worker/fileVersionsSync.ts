/** Reads the versions of files synchronously. A disk that hangs blocks the thread, so this isn't for one that must stay responsive. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { elementAt } from '../../format/values/lookups';
import { isMissing } from '../../files/io/fileErrors';
import { mayBeLocked } from '../../files/read/versions/fileVersion';
import { MISSING, NUMBERS, UNKNOWN, type VersionNumbers } from './protocol/versionNumbers';

/** True if the folder is a file; `statFileVersions` reads all sessions of a database together. */
function isInDatabase(path: string): boolean {
  return statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === false;
}

/**
 * Returns the versions in the order of the names. Never throws.
 *
 * @param until time of `performance.now()` from which on the other versions are left unknown
 * @param before the prefix that makes the names paths
 */
export function fileVersionsSync(names: readonly string[], until = Infinity, before = ''): VersionNumbers {
  const numbers = new Float64Array(names.length * NUMBERS);
  for (let index = 0; index < names.length; index++) {
    const at = index * NUMBERS;
    if (performance.now() > until) {
      numbers[at] = UNKNOWN;
      continue;
    }
    const path = before + elementAt(names, index);
    try {
      const { size, mtimeMs, dev, ino, isRegular } = factsOf(path);
      if (isRegular) {
        numbers[at] = size;
        numbers[at + 1] = mtimeMs;
        numbers[at + 2] = dev;
        numbers[at + 3] = ino;
      } else numbers[at] = UNKNOWN;
    } catch (error) {
      numbers[at] = isMissing(error) && !isInDatabase(path) ? MISSING : UNKNOWN;
    }
  }
  return numbers;
}

function factsOf(path: string): { size: number; mtimeMs: number; dev: number; ino: number; isRegular: boolean } {
  const stats = statSync(path);
  const { size, mtimeMs, dev, ino } = stats;
  if (mayBeLocked(stats)) accessSync(path, constants.R_OK);
  // Some file systems have inodes that no number is exact for.
  return { size, mtimeMs, dev, ino, isRegular: stats.isFile() && Number.isSafeInteger(ino) };
}
