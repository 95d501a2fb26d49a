/** Reads the versions of thousands of files. */
import { stat, type BigIntStats, type Stats } from 'node:fs';
import { isMissing } from '../io/fileErrors';
import { notRegularFileError } from '../io/regularFile';
import { fileVersion, type FileVersion } from './sessionFile';

/**
 * The version of a regular file; `undefined` if nothing is there; otherwise an error: the system's, or `not-a-session`
 * for anything but a regular file.
 */
export type FileVersionResult = FileVersion | Error | undefined;

/**
 * Reads the versions of files, in the order of the paths. Callbacks instead of promises halve the time.
 *
 * @param atOnce number of concurrent calls; see `maxConcurrentCalls`
 * @throws the signal's reason if aborted.
 */
export function statFileVersions(paths: readonly string[], atOnce: number, signal?: AbortSignal): Promise<FileVersionResult[]> {
  const found = new Array<FileVersionResult>(paths.length);
  let [begun, done] = [0, 0];
  return new Promise((resolve, reject) => {
    const next = (): void => {
      if (signal?.aborted) reject(signal.reason as Error);
      else if (begun < paths.length) look(begun++);
      else if (done === paths.length) resolve(found);
    };
    const look = (at: number): void => {
      const path = paths[at]!;
      const take = (error: NodeJS.ErrnoException | null, stats: Stats | BigIntStats): void => {
        found[at] = error ? (isMissing(error) ? undefined : error) : stats.isFile() ? fileVersion(stats) : notRegularFileError(path);
        done++;
        next();
      };
      // Numbers are cheaper than bigints, but too small for the inodes of some file systems.
      stat(path, (error, stats) => {
        if (error || Number.isSafeInteger(stats.ino)) take(error, stats);
        else stat(path, { bigint: true }, take);
      });
    };
    for (let at = 0; at < atOnce; at++) next();
  });
}
