/** How a catalog begins: with what the database has, and how the disk differs from that. */
import { Pause } from '../files/pause';
import type { FirstRows } from './firstRows';
import { listStale, rootAround, type Listed, type Place } from './listing';
import type { StaleFile } from './protocol';
import type { KnownFile } from './row';
import type { StoredCatalog } from './storedCatalog';

/** How the disk differs from what is known, and the files that nothing is known of yet. */
export interface Compared {
  readonly listed: Listed;
  readonly rest: readonly StaleFile[];
}

/** What the database holds of these roots; it may hold what other windows' roots have. */
export async function takeStored(stored: StoredCatalog, { roots, signal }: Omit<Place, 'versionsAt'>, known: Map<string, KnownFile>): Promise<void> {
  const pause = new Pause(signal);
  try {
    for (const files of stored.files()) {
      for (const file of files) if (rootAround(roots, file.path)) known.set(file.path, file);
      await pause.here();
    }
  } catch {
    // Damaged: all is read again, and the worker makes it anew.
    known.clear();
  }
}

/** Marks what changed as not complete; of the newest files that aren't known `first` makes rows. */
export async function compare(place: Place, known: Map<string, KnownFile>, first: FirstRows): Promise<Compared> {
  const listed = await listStale(place, undefined, known);
  const fresh: StaleFile[] = [];
  for (const file of listed.stale) {
    const before = known.get(file.path);
    if (before) known.set(file.path, { ...before, version: file.version, complete: false });
    else fresh.push(file);
  }
  return { listed, rest: await first.begin(fresh) };
}
