/** Reads the versions of files synchronously. For worker threads only: a disk that hangs blocks the thread. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing } from '../../files/io/fileErrors';
import { MISSING, NUMBERS, UNKNOWN, type VersionNumbers } from './versionNumbers';

/** True if the folder is a file; `statFileVersions` reads all sessions of a database at once. */
function isInDatabase(path: string): boolean {
  return statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === false;
}

/**
 * Returns the versions in the order of the paths. Never throws.
 *
 * @param until time of `performance.now()` from which on the rest is left unknown
 */
export function fileVersionsSync(paths: readonly string[], until = Infinity): VersionNumbers {
  const numbers = new Float64Array(paths.length * NUMBERS);
  for (const [index, path] of paths.entries()) {
    const at = index * NUMBERS;
    if (performance.now() > until) {
      numbers[at] = UNKNOWN;
      continue;
    }
    try {
      const { size, mtimeMs, dev, ino, isRegular } = factsOf(path);
      if (isRegular) numbers.set([size, mtimeMs, dev, ino], at);
      else numbers[at] = UNKNOWN;
    } catch (error) {
      numbers[at] = isMissing(error) && !isInDatabase(path) ? MISSING : UNKNOWN;
    }
  }
  return numbers;
}

function factsOf(path: string): { size: number; mtimeMs: number; dev: number; ino: number; isRegular: boolean } {
  const stats = statSync(path);
  const { size, mtimeMs, dev, ino } = stats;
  // Some file systems have inodes that no number is exact for.
  return { size, mtimeMs, dev, ino, isRegular: stats.isFile() && Number.isSafeInteger(ino) };
}
