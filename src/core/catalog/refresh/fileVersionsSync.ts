/** The states of files without waiting, for a worker thread: a disk that hangs blocks it. */
import { statSync } from 'node:fs';
import { isMissing } from '../../files/io/fileErrors';
import { fileVersion, type FileVersion } from '../../files/read/sessionFile';

/** `undefined` if nothing is there; `null` if the file has to be looked at by `statFileVersions`, which says why it can't be read. */
export type SyncVersion = FileVersion | undefined | null;

/** In the order of the paths. Never throws. */
export function fileVersionsSync(paths: readonly string[]): SyncVersion[] {
  return paths.map((path) => {
    try {
      const stats = statSync(path);
      // Numbers are cheaper, but too small for some file systems' inodes.
      const exact = Number.isSafeInteger(stats.ino) ? stats : statSync(path, { bigint: true });
      return exact.isFile() ? fileVersion(exact) : null;
    } catch (error) {
      return isMissing(error) ? undefined : null;
    }
  });
}
