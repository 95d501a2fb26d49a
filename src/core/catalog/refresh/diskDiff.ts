/** Compares the catalog's rows with the files on the disk. */
import { defined } from '../../format/entry/defined';
import { Yielder } from '../../files/concurrency/eventLoop';
import { sortSteps } from '../../files/concurrency/sortSteps';
import { rootOf, type Root } from '../../files/locate/roots';
import type { Steps } from '../../format/session/steps';
import { unreadableRow, type KnownFile, type RowProblem } from '../rows/catalogRow';
import type { StaleFile } from '../rows/catalogRow';
import type { DiskInventory } from './diskInventory';
import { isFromVersion, NO_VERSION, type InventoryFile } from './inventoryFile';
import { pathsWithin } from './pathScope';

/** A file that can't be read, or a folder that can't be listed. */
export interface CatalogProblem extends RowProblem {
  /** A file that can't be read, or a folder that can't be listed. */
  readonly path: string;
}

/** A file to be read, with the inspection that found it in this version. */
export interface StaleDiskFile extends StaleFile, Pick<InventoryFile, 'inspection'> {}

export interface DiskDiff {
  /** Files to be read, newest first. */
  readonly stale: readonly StaleDiskFile[];
  readonly gone: readonly string[];
  /** Files that can't be inspected, with the reason in their rows. */
  readonly unreadable: readonly KnownFile[];
}

/** Returns how the files at or under the paths, by default all, differ from `known`. @throws the signal's reason when it is aborted. */
export async function diffWithDisk(
  disk: DiskInventory,
  roots: readonly Root[],
  paths: readonly string[] | undefined,
  known: ReadonlyMap<string, KnownFile>,
  signal: AbortSignal | undefined,
): Promise<DiskDiff> {
  const unreadable: KnownFile[] = [];
  const stale: StaleDiskFile[] = [];
  const folders = new Set(roots.map(({ path }) => path));
  const pause = new Yielder(signal);
  let met = 0;
  for (const file of await pause.run(filesAt(disk, paths, known))) {
    if (pause.isDue()) await pause.yieldIfDue();
    // The inventory may have other roots by now.
    if (!folders.has(file.root.path)) continue;
    const {
      path,
      owner,
      version,
      error,
      root: { dialect },
      inspection,
    } = file;
    const before = known.get(path);
    if (before) met++;
    if (error === undefined && before?.complete && isFromVersion(before, file)) continue;
    if (error === undefined)
      stale.push(owner === undefined ? { path, version, dialect, inspection } : { path, version, dialect, inspection, owner });
    else unreadable.push({ path, version: NO_VERSION, complete: true, row: unreadableRow(path, error, dialect, 0), ...defined({ owner }) });
  }
  const newestFirst = await pause.run(sortSteps(stale, (a, b) => b.version.mtimeMs - a.version.mtimeMs));
  // The database may have the files of other windows' roots.
  const isGone = (path: string): boolean => disk.isGone(path) && rootOf(path, roots) !== undefined;
  const gone: string[] = [];
  for (const path of met < known.size ? [...(await pause.run(pathsWithin(known, paths)))] : []) {
    if (pause.isDue()) await pause.yieldIfDue();
    if (isGone(path)) gone.push(path);
  }
  return { stale: newestFirst, gone, unreadable };
}

/** Returns why known files at or under the paths can't be read. */
export function* problemsOf(known: ReadonlyMap<string, KnownFile>, paths: readonly string[] | undefined): Steps<CatalogProblem[]> {
  const problems: CatalogProblem[] = [];
  const addProblem = (file: KnownFile | undefined): void => {
    if (file?.row.problem) problems.push({ path: file.path, ...file.row.problem });
  };
  // Without a list of all files, and without an iterator, of which each step makes an object.
  if (paths) for (const path of yield* pathsWithin(known, paths)) addProblem(known.get(path));
  else known.forEach(addProblem);
  return problems;
}

/** Paths of files don't make it walk all files, also not of files that are gone. */
function* filesAt(
  disk: DiskInventory,
  paths: readonly string[] | undefined,
  known: ReadonlyMap<string, KnownFile>,
): Steps<Iterable<InventoryFile>> {
  const files = disk.files();
  if (paths === undefined) return files.values();
  const areKnown = paths.every((path) => files.has(path) || known.has(path));
  return Array.from(areKnown ? new Set(paths) : yield* pathsWithin(files, paths)).flatMap((path) => files.get(path) ?? []);
}
