/** Reads the versions of thousands of files. */
import { elementAt } from '../../../format/values/lookups';
import { access, constants, stat, type BigIntStats, type Stats } from 'node:fs';
import { databaseOf, findDatabasePath } from '../../database/databaseSession';
import { basename, dirname } from 'node:path';
import { isMissing } from '../../io/fileErrors';
import { notRegularFileError } from '../../io/regularFile';
import { fileVersion, mayBeLocked, type FileVersion } from './fileVersion';
import { databaseVersions } from './findFileVersion';

/**
 * The version of a regular file; `undefined` if there is none; otherwise an error: the system's, also if the file can't be read, or
 * `not-a-session` for anything but a regular file.
 */
export type FileVersionResult = FileVersion | Error | undefined;

type KnownVersion = (path: string) => FileVersion | undefined;

/**
 * Reads the versions of files, in the order of the paths. Callbacks instead of promises halve the time.
 *
 * @param atOnce number of concurrent calls; see `maxConcurrentCalls`
 * @param before returns an earlier version of a file. If it's given, the size of a session in a database that has none may be a guess; see `databaseVersions`
 * @throws the signal's reason if aborted.
 */
export async function statFileVersions(
  paths: readonly string[],
  atOnce: number,
  signal?: AbortSignal,
  before?: KnownVersion,
): Promise<FileVersionResult[]> {
  const found = new Array<FileVersionResult>(paths.length);
  const all = Array.from(paths.keys());
  // No file can be where a database is a folder, and looking for one takes longer than all else.
  const inDatabases = await addDatabaseVersions(
    paths,
    all.filter((at) => databaseOf(elementAt(paths, at)) !== undefined),
    found,
    before,
    signal,
  );
  const files = inDatabases.size === 0 ? all : all.filter((at) => !inDatabases.has(at));
  const versions = await statListedFiles(
    files.map((at) => elementAt(paths, at)),
    atOnce,
    signal,
  );
  files.forEach((at, index) => (found[at] = versions[index]));
  await addDatabaseVersions(
    paths,
    files.filter((at) => found[at] === undefined),
    found,
    before,
    signal,
  );
  return found;
}

/** Adds the versions of the sessions among the paths that are in a database. @returns their indexes */
async function addDatabaseVersions(
  paths: readonly string[],
  indexes: readonly number[],
  found: FileVersionResult[],
  before: KnownVersion | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<number>> {
  const added = new Set<number>();
  const byFolder = new Map<string, number[]>();
  for (const at of indexes) {
    const folder = dirname(elementAt(paths, at));
    const others = byFolder.get(folder);
    if (others) others.push(at);
    else byFolder.set(folder, [at]);
  }
  for (const [folder, those] of byFolder) {
    signal?.throwIfAborted();
    const [first] = those;
    if (first === undefined || !(await findDatabasePath(elementAt(paths, first)))) continue;
    const ids = those.map((at) => basename(elementAt(paths, at), '.jsonl'));
    const earlier = those.map((at) => before?.(elementAt(paths, at)));
    // Reading a database rejects with errors only.
    const versions = await databaseVersions(folder, ids, earlier, before !== undefined).catch((error: unknown) =>
      ids.map(() => error as Error),
    );
    those.forEach((at, index) => {
      added.add(at);
      found[at] = versions[index];
    });
  }
  return added;
}

/** Like `statFileVersions`, for paths that a listing of their folder has just given. None of them is in a database. */
export function statListedFiles(paths: readonly string[], atOnce: number, signal?: AbortSignal): Promise<FileVersionResult[]> {
  const found = new Array<FileVersionResult>(paths.length);
  let [begun, done] = [0, 0];
  return new Promise((resolve, reject) => {
    const next = (): void => {
      // Nothing can be at a path with a NUL character, for which Node throws at the call.
      for (; paths[begun]?.includes('\0'); done++) found[begun++] = undefined;
      // The reason may be any value, and callers get it as it is.
      if (signal?.aborted) reject(signal.reason as Error);
      else if (begun < paths.length) look(begun++);
      else if (done === paths.length) resolve(found);
    };
    const look = (at: number): void =>
      statFile(elementAt(paths, at), (result) => {
        found[at] = result;
        done++;
        next();
      });
    for (let at = 0; at < atOnce; at++) next();
  });
}

const failed = (error: NodeJS.ErrnoException): FileVersionResult => (isMissing(error) ? undefined : error);

function statFile(path: string, done: (result: FileVersionResult) => void): void {
  const take = (error: NodeJS.ErrnoException | null, stats: Stats | BigIntStats): void => {
    if (error) done(failed(error));
    else if (!stats.isFile()) done(notRegularFileError(path));
    else if (mayBeLocked(stats)) access(path, constants.R_OK, (denied) => done(denied ? failed(denied) : fileVersion(stats)));
    else done(fileVersion(stats));
  };
  // Numbers are cheaper than bigints, but too small for the inodes of some file systems.
  stat(path, (error, stats) => {
    if (error || Number.isSafeInteger(stats.ino)) take(error, stats);
    else stat(path, { bigint: true }, take);
  });
}
