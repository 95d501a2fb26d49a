/** Finds the session that an entry belongs to, of all forks that have copied it. */
import { valueOf } from '../../format/values/lookups';
import type { EntryHead } from '../../format/entry/entryHead';
import type { Session } from '../../format/session/session';
import type { Catalog } from '../catalogApi';
import { pathsOf } from '../origins/events/fileEvents';

interface EntryOf {
  readonly path: string;
  readonly entryId: string;
}

/**
 * Returns a function that finds the session an entry was written in, or if that is gone, the newest one that has it.
 *
 * @param file the one that the entries wrote
 * @param read returns a session; `undefined` if it's gone
 */
export async function originalsOf(
  catalog: Catalog,
  file: string,
  read: (path: string) => Promise<Session | undefined>,
): Promise<(entry: EntryOf) => Promise<EntryOf>> {
  const paths = await pathsOf(file);
  const names = new Set(paths);
  for (const path of paths) for (const name of await catalog.namesOf(path)) names.add(name);
  const byEntry = new Map<string, Set<string>>();
  for (const { path, entryId, kind } of await catalog.locatedTouches([...names])) {
    if (kind !== 'write') continue;
    if (!byEntry.has(entryId)) byEntry.set(entryId, new Set());
    valueOf(byEntry, entryId).add(path);
  }
  const createdAt = (path: string): number => catalog.files().get(path)?.row.summary.created ?? 0;
  return async ({ path, entryId }) => {
    const others = byEntry.get(entryId) ?? new Set();
    const own = (others.size > 1 ? await read(path) : undefined)?.byId.get(entryId);
    if (!own || !isCopied(await read(path), own)) return { path, entryId };
    const newestFirst = [...others].sort((a, b) => createdAt(b) - createdAt(a));
    for (const other of newestFirst) if ((await read(other))?.byId.get(entryId)?.time === own.time) return { path: other, entryId };
    return { path, entryId };
  };
}

/** True for an entry that a fork has from another session. */
function isCopied(session: Session | undefined, { time }: EntryHead): boolean {
  const { header } = session ?? {};
  return header?.parentSession !== undefined && time < Date.parse(header.timestamp);
}
