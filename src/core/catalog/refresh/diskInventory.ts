/** The session files that are on the disk, as the last inspections found them. The store compares its rows with these files. */
import { databaseOf } from '../../files/database/databaseSession';
import type { Listing, SessionPath } from '../../files/locate/listFiles';
import { rootOf, type Root } from '../../files/locate/roots';
import { fileError } from '../../files/io/fileErrors';
import { Yielder } from '../../files/concurrency/eventLoop';
import { WorkQueue } from '../../files/concurrency/workQueue';
import { isSameExactly, sameVersion } from '../../files/read/versions/compareVersions';
import { ImportedFiles } from '../../files/read/importedFiles';
import type { FileVersion } from '../../files/read/sessionFile';
import type { FileVersionResult } from '../../files/read/versions/statFiles';
import { normalizeRoot } from '../../files/locate/catalogRoots';
import { elementAt } from '../../format/values/lookups';
import { SessionCopies } from '../copies/sessionCopies';
import { DiskReader, type DiskFile } from './diskReader';
import type { IdleThread } from './inspectionThread';
import { InspectionOrder } from './inspectionOrder';
import { isUnchanged, toInventoryFile, type InventoryFile } from '../rows/inventoryFile';
import { listFilesAt } from './listFilesAt';
import { isUnderAny, pathScope, pathsWithin } from './pathScope';
import { PinnedSessions } from './pinnedSessions';
import { appendAll } from '../../format/values/lists';

export interface Inspection {
  /** The files at or under the inspected paths, in no particular order. */
  readonly files: readonly InventoryFile[];
  /** Folders that couldn't be listed. The known state of their files is kept. */
  readonly failed: readonly { readonly path: string; readonly error: unknown }[];
}

/** Lists and inspects the session files of the roots, and keeps the results. */
export class DiskInventory {
  readonly pinned = new PinnedSessions();
  /** The sessions that are on several machines. */
  readonly copies = new SessionCopies();
  private readonly known = new Map<string, InventoryFile>();
  private readonly order = new InspectionOrder();
  private readonly reader = new DiskReader(
    () => this.roots(),
    (path) => this.known.get(path) ?? this.rows().get(path),
    () => this.imported.hasStored,
  );
  /** The roots of the last complete inspection. */
  private listedRoots: readonly Root[] = [];
  private readonly imported = new ImportedFiles();
  private failedFolders: readonly string[] = [];
  private readonly fullInspections = new WorkQueue();

  /** @param rows the rows by path. Paths and versions that are equal are kept once. */
  constructor(
    private readonly currentRoots: () => readonly Root[],
    private readonly rows: () => ReadonlyMap<string, DiskFile> = () => new Map(),
  ) {}

  /** The roots as they are now, with normal paths. */
  roots(): Root[] {
    return this.currentRoots().map(normalizeRoot);
  }

  /** The files by path, as of the last inspections. */
  files(): ReadonlyMap<string, InventoryFile> {
    return this.known;
  }

  /** Lends a thread that reads folders and the versions of many files together. */
  useThread(thread: IdleThread): void {
    this.reader.thread.use(thread);
  }

  /** Takes the thread back, unless another thread has been lent since. */
  releaseThread(thread: IdleThread): void {
    this.reader.thread.release(thread);
  }

  /**
   * Inspects everything, or the files at or under the paths. Inspections of everything run one after the other; an
   * inspection of some paths doesn't wait for them, and its results aren't overwritten by an inspection that began
   * before it.
   *
   * @throws the signal's reason when it is aborted; files that were found to be missing by then are no longer in
   *   `files`.
   */
  inspect(paths?: readonly string[], signal?: AbortSignal): Promise<Inspection> {
    if (paths !== undefined) return this.run(paths, signal);
    return this.fullInspections.add(() => this.run(undefined, signal));
  }

  /** Returns true if a complete inspection covered the path and there is no file. False where nothing is known, as under folders that can't be listed. */
  isGone(path: string): boolean {
    return !this.known.has(path) && !this.isUnlisted(path) && rootOf(path, this.listedRoots) !== undefined;
  }

  /** Returns true if the path is in a folder that couldn't be listed. */
  isUnlisted(path: string): boolean {
    return isUnderAny(path, this.failedFolders);
  }

  /** Takes over the version that was found while `file` was read, `undefined` if it was gone. It counts unless the file was found in yet another version meanwhile. */
  recordRead({ path, inspection: since }: Pick<InventoryFile, 'path' | 'inspection'>, version: FileVersion | undefined): void {
    const file = this.known.get(path);
    if (file?.inspection !== since || (version && isSameExactly(file.version, version))) return;
    const inspection = this.order.begin();
    this.order.claim(inspection, path);
    this.reader.folders.fileChanged(path);
    if (version) this.known.set(path, toInventoryFile(file, version, inspection));
    else this.known.delete(path);
    this.order.end(inspection);
  }

  private async run(paths: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<Inspection> {
    const inspection = this.order.begin();
    if (!paths) this.reader.folders.begin(Math.max(this.known.size, this.rows().size));
    try {
      const roots = this.roots();
      const failed: { path: string; error: unknown }[] = [];
      const onProblem = (path: string, error: unknown): void => void failed.push({ path, error: fileError(error, path) });
      await this.pinned.refresh(roots, paths, onProblem);
      const found = await (paths ? listFilesAt(paths, roots, this.known, onProblem) : this.reader.listAll(roots, onProblem));
      const { failed: failedFolders } = found;
      // The sessions of a database that can't be listed now are still known.
      const listing = await this.imported.leaveOut(found, paths === undefined && !failedFolders.some(databaseOf));
      this.copies.setDiverged(this.imported.diverged());
      const { files: listed } = listing;
      const listedPaths = pathsOf(listing);
      const inScope = pathScope(paths);
      this.failedFolders = [...new Set([...this.failedFolders.filter((folder) => !inScope(folder)), ...failedFolders])];
      const conflicts = await this.removeUnlisted(inspection, paths, listedPaths);
      const versions = await this.reader.readVersions(listing, signal);
      const pause = new Yielder(signal);
      for (let at = 0; at < listed.length; at++) {
        const file = elementAt(listed, at);
        const outcome = this.apply(inspection, file, versions[at]);
        if (outcome === 'conflict') conflicts.push(file.path);
        else if (outcome === 'changed' && paths) this.reader.folders.fileChanged(file.path);
        if (pause.isDue()) await pause.yieldIfDue();
      }
      if (paths === undefined) this.listedRoots = roots;
      // A later inspection may have seen these files before this one did.
      if (conflicts.length > 0) appendAll(failed, (await this.run(conflicts, signal)).failed);
      if (!paths) this.reader.folders.end();
      return { files: await this.filesAt(listedPaths, signal), failed };
    } finally {
      this.order.end(inspection);
    }
  }

  private async filesAt(paths: readonly string[], signal: AbortSignal | undefined): Promise<InventoryFile[]> {
    const found: InventoryFile[] = [];
    const pause = new Yielder(signal);
    for (let at = 0; at < paths.length; at++) {
      const file = this.known.get(elementAt(paths, at));
      if (file) found.push(file);
      if (pause.isDue()) await pause.yieldIfDue();
    }
    return found;
  }

  /** Isn't aborted, so that missing files are removed in any case. @returns the paths for which a later inspection gives another result. */
  private async removeUnlisted(inspection: number, paths: readonly string[] | undefined, listed: readonly string[]): Promise<string[]> {
    const pause = new Yielder(undefined);
    // The folders that failed in this inspection: another inspection may change the list during a pause.
    const { failedFolders } = this;
    let met = 0;
    for (let at = 0; at < listed.length; at++) {
      if (this.known.has(elementAt(listed, at))) met++;
      if (pause.isDue()) await pause.yieldIfDue();
    }
    // During a pause, another inspection may have changed files that were already counted.
    if (paths === undefined && met === this.known.size && this.order.isUndisturbed(inspection)) return [];
    const there = new Set<string>();
    for (const path of listed) {
      there.add(path);
      if (pause.isDue()) await pause.yieldIfDue();
    }
    const conflicts: string[] = [];
    // As they are now: another inspection may add files in a pause. A set of all of them would take milliseconds in one go.
    const within = [...(await pause.run(pathsWithin(this.known, paths)))];
    const others = [...new Set(paths)].filter((path) => !this.known.has(path));
    for (const path of within.concat(others)) {
      if (pause.isDue()) await pause.yieldIfDue();
      if (there.has(path) || isUnderAny(path, failedFolders)) continue;
      if (this.order.claim(inspection, path)) {
        if (this.known.delete(path)) this.reader.folders.fileChanged(path);
      } else if (this.known.has(path)) conflicts.push(path);
    }
    return conflicts;
  }

  /** Claims unchanged files, too: an inspection that began earlier may end later, and have missed the file. @returns `conflict` if a later inspection found something else. */
  private apply(inspection: number, file: SessionPath, result: FileVersionResult): 'same' | 'changed' | 'conflict' {
    const { path } = file;
    const before = this.known.get(path);
    const isClaimed = this.order.claim(inspection, path);
    if (result === undefined ? !before : before && isUnchanged(before, file, result)) return 'same';
    if (!isClaimed) return 'conflict';
    if (result === undefined) this.known.delete(path);
    else {
      const version = this.rows().get(path)?.version;
      const isShared = version && !(result instanceof Error) && sameVersion(version, result);
      this.known.set(path, toInventoryFile(file, isShared ? version : result, inspection));
    }
    return 'changed';
  }
}

/**
 * Returns the paths of a listing's files. Like the loops above, it runs for thousands of paths every few seconds, so it has no
 * iterators: each of their steps makes an object.
 */
function pathsOf({ files, unchanged }: Listing): string[] {
  const paths = files.map(({ path }) => path);
  for (const folder of unchanged) folder.paths.forEach((path) => paths.push(path));
  return paths;
}
