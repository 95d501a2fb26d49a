/** Versions of sessions by path, in files and in databases. */
import { elementAt } from '../../format/entry/lookups';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionError } from '../../format/entry/problem';
import { CorruptDatabase, damagedSession } from '../database/databaseErrors';
import {
  estimatedVersion,
  findDatabasePath,
  noSuchSession,
  sameSessionVersion,
  sessionVersion,
  type DatabasePath,
} from '../database/databaseSession';
import type { OpenResult } from '../database/databaseView';
import { readDatabase } from '../database/readDatabase';
import { fileError, isMissing } from '../io/fileErrors';
import { notRegularFileError } from '../io/regularFile';
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
 * @throws {SessionError} as `readDatabase`
 */
export async function databaseVersions(
  database: string,
  ids: readonly DatabasePath['id'][],
  before: readonly (FileVersion | undefined)[] = [],
  mayEstimate = false,
): Promise<(FileVersion | SessionError | undefined)[]> {
  const found = new Map<string, FileVersion>();
  if (mayEstimate || before.some((version) => version)) {
    const fresh = new Set(mayEstimate ? ids.filter((_, index) => !before[index]) : []);
    const outlines = await readDatabase(database, (view) => view.outline(ids));
    for (const [index, outline] of outlines.entries()) {
      if (!outline || outline instanceof CorruptDatabase) continue;
      const id = elementAt(ids, index);
      const version = fresh.has(id) ? estimatedVersion(outline) : sameSessionVersion(outline, before[index]);
      if (version && (mayEstimate || version.isEstimate !== true)) found.set(id, version);
    }
  }
  const left = ids.filter((id) => !found.has(id));
  const opened = left.length === 0 ? [] : await readDatabase(database, (view) => view.open(left));
  const versions = new Map(
    opened.map((one, index) => [elementAt(left, index), versionOf(one, join(database, `${elementAt(left, index)}.jsonl`))]),
  );
  return ids.map((id) => found.get(id) ?? versions.get(id));
}

const versionOf = (opened: OpenResult, path: string): FileVersion | SessionError | undefined =>
  opened instanceof CorruptDatabase ? damagedSession(opened, path) : opened && sessionVersion(opened);
