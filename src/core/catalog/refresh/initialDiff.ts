/** Starts a catalog: loads the rows in the database, then compares them with the disk. */
import { Yielder } from '../../files/concurrency/eventLoop';
import type { Root } from '../../files/locate/roots';
import type { FirstRows } from './firstRows';
import { rootOf } from '../../files/locate/roots';
import { diffWithDisk, type DiskDiff } from './diskDiff';
import type { DiskInventory } from './diskInventory';
import type { KnownFile, StaleFile } from '../rows/catalogRow';
import type { CatalogReader } from '../database/catalogReader';

export interface InitialDiff {
  readonly diff: DiskDiff;
  /** Files without a row. */
  readonly remaining: readonly StaleFile[];
}

/** Fills `known` with the database's rows of these roots. The database may have the files of other windows' roots. */
export async function loadStoredRows(
  stored: CatalogReader,
  roots: readonly Root[],
  known: Map<string, KnownFile>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pause = new Yielder(signal);
  try {
    for (const files of stored.files()) {
      for (const file of files) if (rootOf(file.path, roots)) known.set(file.path, file);
      await pause.yieldIfDue();
    }
  } catch {
    // It is damaged: all files are read again, and the worker rebuilds it.
    known.clear();
  }
}

/**
 * Marks the rows of files that changed as incomplete, and makes rows for the newest files that have none.
 *
 * @param inspect whether to inspect the disk first
 */
export async function initialDiff(
  inspect: boolean,
  disk: DiskInventory,
  roots: readonly Root[],
  known: Map<string, KnownFile>,
  firstRows: FirstRows,
  signal: AbortSignal | undefined,
): Promise<InitialDiff> {
  if (inspect) await disk.inspect(undefined, signal);
  const diff = await diffWithDisk(disk, roots, undefined, known, signal);
  const fresh: StaleFile[] = [];
  const pause = new Yielder(signal);
  for (const file of diff.stale) {
    if (pause.isDue()) await pause.yieldIfDue();
    const before = known.get(file.path);
    if (before) known.set(file.path, { ...before, version: file.version, complete: false });
    else fresh.push(file);
  }
  return { diff, remaining: await firstRows.scanNewest(fresh) };
}
