/** All sessions of the roots: rows for lists, search, labels, usage and touched files. */
import { resolve } from 'node:path';
import type { Session } from '../format/session/session';
import { yieldToEventLoop } from '../files/io/eventLoop';
import { rootOf, type Root } from '../files/locate/roots';
import { findFileVersion, followSession, readSession } from '../files/read/sessionFile';
import { sameVersion } from '../files/read/compareVersions';
import type { LocatedTouch } from './encoding/touchTable';
import { SearchWorkerClient } from './worker/searchWorkerClient';
import type { Catalog, CatalogOptions, RefreshResult } from './catalogApi';
import { initialDiff, loadStoredRows, type InitialDiff } from './refresh/initialDiff';
import { mapDatabaseError } from './database/databaseErrors';
import { ensureCacheDir, type DatabaseLocation } from './database/database';
import { FirstRows } from './rows/firstRows';
import { normalizeRoot } from './refresh/catalogRoots';
import { diffWithDisk, problemsOf, type DiskDiff } from './refresh/diskDiff';
import { DiskInventory } from './refresh/diskInventory';
import { differences } from './refresh/pinnedSessions';
import { isUnderAny } from './refresh/pathScope';
import { DatabaseRecovery } from './database/databaseRecovery';
import { toRowProblem, toCatalogRow, type CatalogRow, type KnownFile } from './rows/catalogRow';
import type { SearchHit, SearchOptions } from './search/search';
import { hasFts5, loadSqlite } from './database/sqlite';
import { CACHE_KB, CatalogReader, type DatabaseGeneration } from './database/catalogReader';
import { decodeFile } from './encoding/fileColumns';
import { SharedStrings } from './encoding/sharedStrings';
import { usageBy, type UsageKey, type UsageSum } from './rows/usageBy';
import { IndexWorkerClient } from './worker/indexWorkerClient';

/**
 * Opens a catalog. Resolves as soon as `sessions()` can return the known rows: those of the database, or in a new store
 * what the beginnings and ends of the newest files reveal. Then it compares the disk and reads new files in the
 * background, and reports them to `onRows`.
 *
 * @throws {SessionError} `invalid` if Node has no SQLite; `permission` or `no-space` if the folder can't be used.
 * @throws the signal's reason if aborted.
 */
export function openCatalog(options: CatalogOptions): Promise<Catalog> {
  return openCatalogWith(options, undefined);
}

/** @param indexed whether to use FTS5; by default if SQLite has it */
export async function openCatalogWith(options: CatalogOptions, indexed: boolean | undefined): Promise<Catalog> {
  options.signal?.throwIfAborted();
  loadSqlite();
  try {
    ensureCacheDir(options.cacheDir);
  } catch (error) {
    throw mapDatabaseError(error, options.cacheDir);
  }
  const catalog = new OpenCatalog(options, { cacheDir: options.cacheDir, indexed: indexed ?? hasFts5() });
  await catalog.open();
  return catalog;
}

class OpenCatalog implements Catalog {
  private readonly known = new Map<string, KnownFile>();
  private readonly strings = new SharedStrings();
  private readonly roots: readonly Root[];
  private readonly stored: CatalogReader;
  private readonly indexWorker: IndexWorkerClient;
  private readonly searchWorker: SearchWorkerClient;
  private readonly recovery: DatabaseRecovery;
  private readonly firstRows: FirstRows;
  private readonly disk: DiskInventory;
  private pendingWork: Promise<unknown> = Promise.resolve();
  /** Files that changed in the background since the last refresh. */
  private readonly unreportedChanges = new Set<string>();
  private reportedPins: ReadonlySet<string> = new Set();
  private closed = false;
  /** The database that this catalog fills; `undefined` until there is one. */
  private generation: DatabaseGeneration | undefined;

  constructor(
    private readonly options: CatalogOptions,
    place: DatabaseLocation,
  ) {
    this.roots = options.roots.map(normalizeRoot);
    this.stored = new CatalogReader(place, CACHE_KB.list, this.strings);
    this.indexWorker = new IndexWorkerClient(place);
    this.searchWorker = new SearchWorkerClient({ answering: place, roots: this.roots });
    this.disk = options.disk ?? new DiskInventory(() => this.roots);
    this.disk.useThread(this.searchWorker);
    this.disk.shareWith(this.known);
    this.recovery = new DatabaseRecovery(this.indexWorker, () => this.rereadAll(), options.cacheDir);
    this.firstRows = new FirstRows(
      this.known,
      options,
      (files) => this.searchWorker.request('looks', files, options.signal),
      this.roots.map(({ path }) => path),
    );
  }

  /** Stored rows are ready at once and compared with the disk in the background. Without any, waits for the newest files' rows. */
  async open(): Promise<void> {
    const { signal } = this.options;
    const compared = (): Promise<InitialDiff> => initialDiff(this.disk, this.roots, this.known, this.firstRows, signal);
    await Promise.all([
      loadStoredRows(this.stored, this.roots, this.known, signal),
      // The next inspection reports what can't be read.
      this.disk.pinned.refresh(this.roots, undefined, () => undefined),
    ]);
    this.reportedPins = this.disk.pinned.ids();
    this.externalReset();
    const differing = this.known.size > 0 ? yieldToEventLoop().then(compared) : await compared();
    // Errors are reported by the next `refresh`, which does what is left.
    this.pendingWork = this.catchUp(differing).catch(() => undefined);
    this.recovery.scheduleCheck();
  }

  sessions(): Promise<CatalogRow[]> {
    return Promise.resolve(
      Array.from(
        [...this.known.values()].sort((a, b) => b.row.summary.modified - a.row.summary.modified),
        (file) => toCatalogRow({ ...file, row: { ...file.row, summary: this.disk.pinned.withPin(file.row.summary) } }),
      ),
    );
  }

  files(): ReadonlyMap<string, KnownFile> {
    return this.known;
  }

  refresh(paths?: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<RefreshResult> {
    return this.enqueueRefresh(paths, options.signal, true);
  }

  update(paths?: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<RefreshResult> {
    return this.enqueueRefresh(paths, options.signal, false);
  }

  async search(query: string, { signal, ...options }: SearchOptions = {}): Promise<SearchHit[]> {
    return (await this.request('search', { query, options }, signal)).filter(({ path }) => this.known.has(path));
  }

  tools(): Promise<string[]> {
    return this.request('tools', undefined);
  }

  async labels(): Promise<{ path: string; entryId: string; label: string; timestamp: number }[]> {
    return (await this.recovery.withRecovery(() => this.stored.withLocatedDamage(() => this.stored.labels()))).filter(({ path }) =>
      this.known.has(path),
    );
  }

  async touching(file: string): Promise<{ path: string; entryId: string; kind: 'read' | 'write' }[]> {
    return (await this.request('touching', file)).filter(({ path }) => this.known.has(path));
  }

  async locatedTouches(files: readonly string[]): Promise<LocatedTouch[]> {
    return (await this.request('locatedTouches', files)).filter(({ path }) => this.known.has(path));
  }

  async usage({ by }: { readonly by: UsageKey }): Promise<UsageSum[]> {
    const usage = await this.request('usage', undefined);
    // The database may have the files of other windows' roots.
    return usageBy(
      by,
      usage.filter(({ path }) => this.known.has(path)),
      (path) => this.known.get(path)!.row.summary.cwd,
    );
  }

  async session(path: string): Promise<Session> {
    const at = resolve(path);
    const dialect = rootOf(at, this.roots)?.dialect;
    const options = { ...(dialect ? { dialect } : {}), ...(this.options.signal ? { signal: this.options.signal } : {}) };
    // If this fails, reading the file gives the reason.
    const version = await findFileVersion(at).catch(() => undefined);
    const known = this.known.get(at);
    const stored =
      version && known?.version.ino === version.ino
        ? this.recovery.readOrRecover(() => this.stored.withLocatedDamage(() => this.stored.session(at)))
        : undefined;
    // A file that was rewritten in place is read anew. `followSession` checks that a larger one only grew.
    const isGood = stored && version && known && (stored.size < version.size || (known.complete && sameVersion(known.version, version)));
    return isGood ? followSession(stored, options) : readSession(at, options);
  }

  async forget(paths?: readonly string[]): Promise<void> {
    const at = paths?.map((path) => resolve(path));
    const work = this.pendingWork.then(async () => {
      await this.indexWorker.forget(at);
      if (at === undefined) this.generation = undefined;
      for (const path of [...this.known.keys()]) if (isUnderAny(path, at)) this.known.delete(path);
    });
    this.pendingWork = work.catch(() => undefined);
    await work;
  }

  externalReset(): 'cleared' | 'replaced' | undefined {
    try {
      const now = this.stored.generation();
      const before = (this.generation ??= now);
      if (!now || !before) return undefined;
      return now.ino !== before.ino ? 'replaced' : now.cleared !== before.cleared ? 'cleared' : undefined;
    } catch {
      // It is locked or broken: the next read or write reports it.
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    this.recovery.close();
    this.disk.releaseThread(this.searchWorker);
    this.indexWorker.stop();
    await this.pendingWork;
    await this.searchWorker.close();
    // The writing thread closes last, which leaves a single file.
    this.stored.close();
    await this.indexWorker.close();
  }

  /** The database is read after its check, as another window may replace it during the check. The reading thread starts meanwhile. */
  private readonly request: SearchWorkerClient['request'] = (kind, params, signal) => {
    const result = this.recovery.withRecovery(() => this.searchWorker.request(kind, params, signal));
    this.searchWorker.ensureStarted();
    return result;
  };

  /** @param inspect whether to inspect the disk first */
  private enqueueRefresh(paths: readonly string[] | undefined, signal: AbortSignal | undefined, inspect: boolean): Promise<RefreshResult> {
    const signals = [this.options.signal, signal].filter((one) => one !== undefined);
    const work = this.pendingWork.then(async () => {
      const either = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
      const { changed, problems } = await this.refreshFiles(
        paths?.map((path) => resolve(path)),
        either,
        inspect,
      );
      const all = new Set([...this.unreportedChanges, ...changed]);
      this.unreportedChanges.clear();
      return { changed: [...all], problems };
    });
    this.pendingWork = work.catch(() => undefined);
    return work;
  }

  private async refreshFiles(
    paths: readonly string[] | undefined,
    signal: AbortSignal | undefined,
    inspect: boolean,
  ): Promise<RefreshResult> {
    signal?.throwIfAborted();
    if (this.closed) throw new Error('The catalog is closed.');
    const failed = inspect ? (await this.disk.inspect(paths, signal)).failed : [];
    const changed = await this.indexDifferences(await diffWithDisk(this.disk, this.roots, paths, this.known, signal), signal);
    const problems = failed.map(({ path, error }) => ({ path, ...toRowProblem(error) }));
    return { changed: [...new Set([...changed, ...this.repinned()])], problems: [...problems, ...problemsOf(this.known, paths)] };
  }

  /** Returns the files whose sessions were pinned or unpinned since the last call. */
  private repinned(): string[] {
    const ids = differences(this.reportedPins, this.disk.pinned.ids());
    this.reportedPins = this.disk.pinned.ids();
    if (ids.size === 0) return [];
    const paths = [...this.known.values()].flatMap(({ path, row: { summary } }) =>
      summary.dialect === 'omp' && ids.has(summary.id) ? [path] : [],
    );
    this.options.onRows?.(paths);
    return paths;
  }

  /** @returns the files whose rows have changed. */
  private async indexDifferences({ stale, gone, unreadable }: DiskDiff, signal: AbortSignal | undefined): Promise<string[]> {
    if (this.closed) throw new Error('The catalog is closed.');
    const changed = new Set(gone);
    for (const file of unreadable) {
      if (file.row.problem?.message !== this.known.get(file.path)?.row.problem?.message) changed.add(file.path);
      this.known.set(file.path, file);
    }
    for (const path of gone) this.known.delete(path);
    if (changed.size > 0) this.options.onRows?.([...changed]);
    signal?.throwIfAborted();
    if (stale.length + gone.length > 0) {
      const fresh = stale.filter(({ path }) => this.known.get(path)?.complete !== true);
      const inspected = new Map(stale.map((file) => [file.path, file]));
      const isRebuilt = await this.indexWorker.index({ files: stale, gone }, fresh, signal, (progress) => {
        for (const { path, columns } of progress.files) {
          const file = inspected.get(path)!;
          const known = decodeFile(file.path, columns, this.strings);
          this.disk.recordRead(file, known.version);
          this.known.set(file.path, sameVersion(known.version, file.version) ? { ...known, version: file.version } : known);
          changed.add(file.path);
        }
        for (const path of progress.gone) {
          this.disk.recordRead(inspected.get(path)!, undefined);
          this.known.delete(path);
          changed.add(path);
        }
        this.options.onRows?.([...progress.files.map(({ path }) => path), ...progress.gone]);
        this.options.onProgress?.(progress.done, stale.length);
      });
      signal?.throwIfAborted();
      if (isRebuilt) {
        this.markAllIncomplete();
        return [...new Set([...changed, ...(await this.refreshFiles(undefined, signal, true)).changed])];
      }
    }
    // A new database can only be recognized once it has been filled.
    this.externalReset();
    return [...changed];
  }

  /** Reads all files again, after the database was rebuilt. */
  private rereadAll(): Promise<void> {
    const work = this.pendingWork.then(async () => {
      this.markAllIncomplete();
      for (const path of (await this.refreshFiles(undefined, this.options.signal, true)).changed) this.unreportedChanges.add(path);
    });
    this.pendingWork = work.catch(() => undefined);
    return work;
  }

  private markAllIncomplete(): void {
    this.generation = undefined;
    for (const [path, known] of this.known) this.known.set(path, { ...known, complete: false });
  }

  private async catchUp(compared: InitialDiff | Promise<InitialDiff>): Promise<void> {
    const { diff, remaining } = await compared;
    const rows = diff.stale.flatMap(({ path }) => (this.known.has(path) ? [path] : []));
    if (rows.length > 0) this.options.onRows?.(rows);
    if (diff.stale.length + diff.gone.length === 0) return;
    const { signal, background = true } = this.options;
    // Starting a thread takes time here, too, and the caller waits for the first rows.
    await yieldToEventLoop();
    const indexing = background ? this.indexDifferences(diff, signal) : undefined;
    // A thread that starts needs a processor, and has rows soon.
    const [changed] = await Promise.all([
      indexing,
      this.indexWorker.whenStarted().then(() => this.firstRows.scanRemaining(remaining, background)),
    ]);
    for (const path of changed ?? []) this.unreportedChanges.add(path);
  }
}
