/** How a catalog begins: with what the database has, and how the disk differs from that. */
import { Yielder } from '../../files/io/eventLoop';
import { rootOf } from '../../files/locate/roots';
import type { FirstRows } from '../rows/firstRows';
import { diffWithDisk, type DiskDiff, type DiskDiffOptions } from './diskDiff';
import type { StaleFile } from '../worker/workerProtocol';
import type { KnownFile } from '../rows/catalogRow';
import type { CatalogReader } from '../database/catalogReader';

/** How the disk differs from what is known, and the files that nothing is known of yet. */
export interface InitialDiff {
  readonly diff: DiskDiff;
  readonly remaining: readonly StaleFile[];
}

/** What the database holds of these roots; it may hold what other windows' roots have. */
export async function loadStoredRows(stored: CatalogReader, { roots, signal }: Omit<DiskDiffOptions, 'readVersions'>, known: Map<string, KnownFile>): Promise<void> {
  const pause = new Yielder(signal);
  try {
    for (const files of stored.files()) {
      for (const file of files) if (rootOf(file.path, roots)) known.set(file.path, file);
      await pause.yieldIfDue();
    }
  } catch {
    // Damaged: all is read again, and the worker makes it anew.
    known.clear();
  }
}

/** Marks what changed as not complete; of the newest files that aren't known `first` makes rows. */
export async function initialDiff(place: DiskDiffOptions, known: Map<string, KnownFile>, first: FirstRows): Promise<InitialDiff> {
  const listed = await diffWithDisk(place, undefined, known);
  const fresh: StaleFile[] = [];
  for (const file of listed.stale) {
    const before = known.get(file.path);
    if (before) known.set(file.path, { ...before, version: file.version, complete: false });
    else fresh.push(file);
  }
  return { diff: listed, remaining: await first.scanNewest(fresh) };
}
