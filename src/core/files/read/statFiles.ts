/** Reads the versions of thousands of files. */
import { stat, type BigIntStats, type Stats } from 'node:fs';
import { findDatabasePath, type DatabasePath } from '../database/databaseSession';
import { basename, dirname } from 'node:path';
import { isMissing } from '../io/fileErrors';
import { notRegularFileError } from '../io/regularFile';
import { fileVersion, type FileVersion } from './fileVersion';
import { databaseVersions } from './findFileVersion';

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
export async function statFileVersions(paths: readonly string[], atOnce: number, signal?: AbortSignal): Promise<FileVersionResult[]> {
  const found = await statAll(paths, atOnce, signal);
  await addDatabaseVersions(paths, found, signal);
  return found;
}

/** Adds the versions of those sessions that no file has and that are in a database. */
async function addDatabaseVersions(paths: readonly string[], found: FileVersionResult[], signal: AbortSignal | undefined): Promise<void> {
  const databases = new Map<string, Promise<DatabasePath | undefined>>();
  const sessions = new Map<string, { readonly id: string; readonly at: number }[]>();
  for (const [at, path] of paths.entries()) {
    const folder = dirname(path);
    if (found[at] !== undefined) continue;
    if (!databases.has(folder)) databases.set(folder, findDatabasePath(path));
    if (!(await databases.get(folder))) continue;
    const session = { id: basename(path, '.jsonl'), at };
    const others = sessions.get(folder);
    if (others) others.push(session);
    else sessions.set(folder, [session]);
  }
  for (const [database, those] of sessions) {
    signal?.throwIfAborted();
    const ids = those.map(({ id }) => id);
    const versions = await databaseVersions(database, ids).catch((error: unknown) => ids.map(() => error as Error));
    those.forEach(({ at }, index) => (found[at] = versions[index]));
  }
}

function statAll(paths: readonly string[], atOnce: number, signal: AbortSignal | undefined): Promise<FileVersionResult[]> {
  const found = new Array<FileVersionResult>(paths.length);
  let [begun, done] = [0, 0];
  return new Promise((resolve, reject) => {
    const next = (): void => {
      // Nothing can be at a path with a NUL character, for which Node throws at the call.
      for (; paths[begun]?.includes('\0'); done++) found[begun++] = undefined;
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
