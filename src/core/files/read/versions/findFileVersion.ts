/** Versions of sessions by path, in files and in databases. */
import { stat } from 'node:fs/promises';
import { deserializeError } from '../../concurrency/threadErrors';
import { findDatabasePath, noSuchSession, type DatabasePath } from '../../database/databaseSession';
import { databases } from '../../database/thread/databaseThread';
import { fileError, isMissing } from '../../io/fileErrors';
import { notRegularFileError } from '../../io/regularFile';
import { fileVersion, type FileVersion } from './fileVersion';

/**
 * The version of the session at a path; `undefined` if there is no session.
 *
 * @param before an earlier version; see `databaseVersions`
 * @throws {NodeJS.ErrnoException} the system's other errors.
 */
export async function findFileVersion(path: string, before?: FileVersion): Promise<FileVersion | undefined> {
  try {
    return fileVersion(await stat(path, { bigint: true }));
  } catch (error) {
    if (!isMissing(error)) throw error;
    const at = await findDatabasePath(path);
    const [version] = at ? await databaseVersions(at.database, [at.id], [before]) : [];
    if (version instanceof Error) throw version;
    return version;
  }
}

/**
 * Returns the version of the session at a path.
 *
 * @param before an earlier version; see `databaseVersions`
 * @throws {SessionError} `not-found`, `permission`; `not-a-session` if it isn't a regular file.
 */
export async function sessionFileVersion(path: string, before?: FileVersion): Promise<FileVersion> {
  try {
    const stats = await stat(path, { bigint: true });
    if (!stats.isFile()) throw notRegularFileError(path);
    return fileVersion(stats);
  } catch (error) {
    const at = isMissing(error) ? await findDatabasePath(path) : undefined;
    if (!at) throw fileError(error, path);
    const [version] = await databaseVersions(at.database, [at.id], [before]);
    if (!version) throw noSuchSession(path);
    if (version instanceof Error) throw version;
    return version;
  }
}

/**
 * Returns the versions of sessions in a database, `undefined` for missing sessions, an error for damaged ones.
 *
 * @param before earlier versions in the order of the ids. The lines of a session with an unchanged version needn't be
 *   measured.
 * @param mayEstimate true to guess the size of sessions without an earlier version, instead of measuring their lines
 * @throws {SessionError} as `DatabaseThread.request`
 */
export async function databaseVersions(
  database: string,
  ids: readonly DatabasePath['id'][],
  before: readonly (FileVersion | undefined)[] = [],
  mayEstimate = false,
): Promise<(FileVersion | Error | undefined)[]> {
  const versions = await databases.request('versions', database, { ids, before, mayEstimate });
  return versions.map((version) => (version && 'error' in version ? deserializeError(version.error) : version));
}
