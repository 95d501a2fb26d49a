/** Versions of sessions in a database. */
import { join } from 'node:path';
import { elementAt } from '../../format/values/lookups';
import type { SessionError } from '../../format/entry/problem';
import type { FileVersion } from '../read/versions/fileVersion';
import { CorruptDatabase, damagedSession } from './sqlite/databaseErrors';
import { estimatedVersion, sameSessionVersion, sessionVersion, type DatabasePath } from './databaseSession';
import type { OpenResult } from './databaseView';
import type { DatabaseRequest } from './thread/readDatabase';

/** See `databaseVersions`. */
export interface VersionRequest {
  readonly ids: readonly DatabasePath['id'][];
  readonly before: readonly (FileVersion | undefined)[];
  readonly mayEstimate: boolean;
}

/** Returns the versions of sessions; see `databaseVersions`. @param read reads from the database */
export async function storedVersions(
  database: string,
  { ids, before, mayEstimate }: VersionRequest,
  read: <T>(request: DatabaseRequest<T>) => Promise<T>,
): Promise<(FileVersion | SessionError | undefined)[]> {
  const found = new Map<string, FileVersion>();
  if (mayEstimate || before.some((version) => version)) {
    const fresh = new Set(mayEstimate ? ids.filter((_, index) => !before[index]) : []);
    const outlines = await read((view) => view.outline(ids));
    for (const [index, outline] of outlines.entries()) {
      if (!outline || outline instanceof CorruptDatabase) continue;
      const id = elementAt(ids, index);
      const version = fresh.has(id) ? estimatedVersion(outline) : sameSessionVersion(outline, before[index]);
      if (version && (mayEstimate || version.isEstimate !== true)) found.set(id, version);
    }
  }
  const left = ids.filter((id) => !found.has(id));
  const opened = left.length === 0 ? [] : await read((view) => view.open(left));
  const versions = new Map(
    opened.map((one, index) => [elementAt(left, index), versionOf(one, join(database, `${elementAt(left, index)}.jsonl`))]),
  );
  return ids.map((id) => found.get(id) ?? versions.get(id));
}

const versionOf = (opened: OpenResult, path: string): FileVersion | SessionError | undefined =>
  opened instanceof CorruptDatabase ? damagedSession(opened, path) : opened && sessionVersion(opened);
