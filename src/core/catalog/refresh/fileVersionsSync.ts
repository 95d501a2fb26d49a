/** Reads the versions of files synchronously. For worker threads only: a disk that hangs blocks the thread. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing } from '../../files/io/fileErrors';
import { fileVersion, type FileVersion } from '../../files/read/sessionFile';

/** `undefined` if there is no file; `null` if `statFileVersions` must be used, which gives the reason why the file can't be read. */
export type SyncVersion = FileVersion | undefined | null;

/** True if the folder is a file; `statFileVersions` reads all sessions of a database at once. */
function isInDatabase(path: string): boolean {
  return statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === false;
}

/** Returns the versions in the order of the paths. Never throws. */
export function fileVersionsSync(paths: readonly string[]): SyncVersion[] {
  return paths.map((path) => {
    try {
      const stats = statSync(path);
      // Numbers are cheaper, but too small for some file systems' inodes.
      const exact = Number.isSafeInteger(stats.ino) ? stats : statSync(path, { bigint: true });
      return exact.isFile() ? fileVersion(exact) : null;
    } catch (error) {
      return isMissing(error) && !isInDatabase(path) ? undefined : null;
    }
  });
}
