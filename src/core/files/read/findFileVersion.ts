/** Versions of sessions by path, in files and in databases. */
import { elementAt } from '../../format/entry/lookups';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionError } from '../../format/entry/problem';
import { CorruptDatabase, damagedSession } from '../database/databaseErrors';
import { findDatabasePath, noSuchSession, sessionVersion, type DatabasePath } from '../database/databaseSession';
import { readDatabase } from '../database/openDatabases';
import { fileError, isMissing } from '../io/fileErrors';
import { notRegularFileError } from '../io/regularFile';
import { fileVersion, type FileVersion } from './fileVersion';

/**
 * The version of the session at a path; `undefined` if nothing is there.
 *
 * @throws {NodeJS.ErrnoException} the system's other errors.
 */
export async function findFileVersion(path: string): Promise<FileVersion | undefined> {
  try {
    return fileVersion(await stat(path, { bigint: true }));
  } catch (error) {
    if (!isMissing(error)) throw error;
    const at = await findDatabasePath(path);
    const [version] = at ? await databaseVersions(at.database, [at.id]) : [];
    if (version instanceof Error) throw version;
    return version;
  }
}

/**
 * Returns the version of the session at a path.
 *
 * @throws {SessionError} `not-found`, `permission`; `not-a-session` if it isn't a regular file.
 */
export async function sessionFileVersion(path: string): Promise<FileVersion> {
  try {
    const stats = await stat(path, { bigint: true });
    if (!stats.isFile()) throw notRegularFileError(path);
    return fileVersion(stats);
  } catch (error) {
    const at = isMissing(error) ? await findDatabasePath(path) : undefined;
    if (!at) throw fileError(error, path);
    const [version] = await databaseVersions(at.database, [at.id]);
    if (!version) throw noSuchSession(path);
    if (version instanceof Error) throw version;
    return version;
  }
}

/**
 * Returns the versions of sessions in a database, `undefined` for those that aren't there, an error for damaged ones.
 *
 * @throws {SessionError} as `readDatabase`
 */
export async function databaseVersions(
  database: string,
  ids: readonly DatabasePath['id'][],
): Promise<(FileVersion | SessionError | undefined)[]> {
  const opened = await readDatabase(database, (view) => view.open(ids));
  return opened.map((one, index) =>
    one instanceof CorruptDatabase ? damagedSession(one, join(database, `${elementAt(ids, index)}.jsonl`)) : one && sessionVersion(one),
  );
}
