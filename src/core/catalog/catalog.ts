/** All sessions of the roots: rows for lists, search, labels, usage and touched files. */
import { resolve } from 'node:path';
import type { Session } from '../format/session/session';
import { Yielder } from '../files/concurrency/eventLoop';
import { sortSteps } from '../files/concurrency/sortSteps';
import type { LocatedTouch } from './encoding/touchTable';
import { CatalogCopies } from './copies/catalogCopies';
import { LinkedFolders } from './copies/linkedFolders';
import { MachineFiles } from './copies/machineFiles';
import { SearchWorkerClient } from './worker/searchWorkerClient';
import type { Catalog, CatalogOptions, RefreshResult } from './catalogApi';
import { CatalogUsage } from './catalogUsage';
import { rootOf, type Root } from '../files/locate/roots';
import { readSession } from '../files/read/sessionFile';
import { initialDiff, loadStoredRows } from './refresh/initialDiff';
import { mapDatabaseError } from './database/databaseErrors';
import { ensureCacheDir, hasDatabase, type DatabaseLocation } from './database/database';
import { FirstRows } from './refresh/firstRows';
import { normalizeRoot } from '../files/locate/catalogRoots';
import { defined } from '../format/entry/defined';
import { elementAt, valueOf } from '../format/entry/lookups';
import { CatalogRefresh } from './refresh/catalogRefresh';
import { DiskInventory } from './refresh/diskInventory';
import { DatabaseRecovery } from './database/databaseRecovery';
import { toCatalogRow, type CatalogRow, type KnownFile } from './rows/catalogRow';
import type { SessionSummary } from './rows/sessionSummary';
import { summaryInRoot } from './rows/summaryInRoot';
import { listingRoot } from './store/listedSession';
import type { SearchHit, SearchOptions } from './search/search';
import { requireFts5 } from '../files/io/loadSqlite';
import { CACHE_KB } from './database/readingConnection';
import { CatalogReader, newestLabelFirst, type StoredLabel } from './database/catalogReader';
import { decodeFile } from './encoding/fileColumns';
import { SharedStrings } from './encoding/sharedStrings';
import { projectFolders } from './rows/projectFolders';
import type { UsageFilter, UsageKey, UsageSum } from './rows/usageBy';
import { IndexWorkerClient } from './worker/indexWorkerClient';
import { databaseOf } from '../files/database/databaseSession';
import { databases } from '../files/database/databaseThread';
import { WATCH_LIMITS, type WatchLimits } from '../files/concurrency/threadWatch';

/**
 * Opens a catalog. Resolves as soon as `sessions()` can return the known rows: the rows of the database, or in a new
 * store rows made from the beginnings and ends of the newest files. Then it compares the disk and reads new files in
 * the background, and reports them to `onRows`.
 *
 * @throws {SessionError} `invalid` if Node has no SQLite, or its SQLite no full-text index; `permission` or `no-space` if the folder can't be used.
 * @throws the signal's reason if aborted.
 */
export function openCatalog(options: CatalogOptions): Promise<Catalog> {
  return openCatalogWith(options);
}

/** @param limits when a thread that reads files is stuck */
export async function openCatalogWith(options: CatalogOptions, limits: WatchLimits = WATCH_LIMITS): Promise<Catalog> {
  options.signal?.throwIfAborted();
  requireFts5();
  try {
    ensureCacheDir(options.cacheDir);
  } catch (error) {
    throw mapDatabaseError(error, options.cacheDir);
  }
  const catalog = new OpenCatalog(options, limits);
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
  private readonly refreshing: CatalogRefresh;
  private readonly machineFiles: MachineFiles;
  private readonly linkedFolders: LinkedFolders;
  private readonly copies: CatalogCopies;
  private readonly usageSums: CatalogUsage;

  constructor(
    private readonly options: CatalogOptions,
    limits: WatchLimits,
  ) {
    const place: DatabaseLocation = { cacheDir: options.cacheDir };
    this.roots = options.roots.map(normalizeRoot);
    this.stored = new CatalogReader(place, CACHE_KB.list, this.strings);
    this.indexWorker = new IndexWorkerClient(place, options.onLeftOut, limits);
    this.searchWorker = new SearchWorkerClient({ database: place, roots: this.roots });
    this.disk = options.disk ?? new DiskInventory(() => this.roots);
    this.disk.useThread(this.searchWorker);
    this.disk.shareWith(this.known);
    this.machineFiles = new MachineFiles(this.roots);
    this.linkedFolders = new LinkedFolders(
      this.known,
      (file) => this.inRoot(file),
      (name) => this.request('pathsNamed', name),
      options.signal,
    );
    this.copies = new CatalogCopies(this.known, this.roots, this.disk.copies);
    this.usageSums = new CatalogUsage({
      known: this.known,
      copies: this.copies,
      stored: () => this.request('usage', undefined),
      session: (path) => this.session(path),
      inRoot: (file) => this.inRoot(file),
    });
    this.recovery = new DatabaseRecovery(this.indexWorker, () => this.refreshing.rereadAll(), options.cacheDir);
    this.firstRows = new FirstRows(
      this.known,
      options,
      async (files) => {
        const rows = await this.searchWorker.request('quickScan', files, options.signal);
        return rows.map((columns, index) => decodeFile(elementAt(files, index).path, columns, this.strings).row);
      },
      this.roots,
    );
    const { known, roots, disk, stored, strings, indexWorker, firstRows } = this;
    this.refreshing = new CatalogRefresh({ options, known, roots, disk, stored, strings, indexWorker, firstRows });
  }

  /** Stored rows are ready immediately, and compared with the disk later. Without stored rows, waits for the newest files' rows. */
  async open(): Promise<void> {
    const { signal } = this.options;
    await Promise.all([
      hasDatabase(this.options) ? this.loadStored() : undefined,
      // The next inspection reports what can't be read.
      this.disk.pinned.refresh(this.roots, undefined, () => undefined),
    ]);
    if (this.known.size === 0) await this.firstRows.scanUnlisted();
    await this.refreshing.begin((inspect) => initialDiff(inspect, this.disk, this.roots, this.known, this.firstRows, signal));
    this.recovery.scheduleCheck();
  }

  private async loadStored(): Promise<void> {
    await loadStoredRows(this.stored, this.roots, this.known, this.options.signal);
    this.refreshing.externalReset();
  }

  async sessions(): Promise<CatalogRow[]> {
    const copies = await this.copies.current();
    const row = (file: KnownFile): CatalogRow =>
      Object.assign(toCatalogRow(file, this.disk.pinned.withPin(this.inRoot(file))), copies.rowFields(file.path));
    const turn = new Yielder(this.options.signal);
    const files = [...this.known.values()].filter(({ path }) => !copies.redundant.has(path));
    const rows: CatalogRow[] = [];
    for (const file of await turn.run(sortSteps(files, (a, b) => b.row.summary.modified - a.row.summary.modified))) {
      rows.push(row(file));
      if (turn.isDue()) await turn.yieldIfDue();
    }
    return rows;
  }

  async folders(): Promise<string[]> {
    const { redundant } = await this.copies.current();
    return new Yielder(this.options.signal).run(projectFolders(this.summariesWithout(redundant)));
  }

  files(): ReadonlyMap<string, KnownFile> {
    return this.known;
  }

  refresh(paths?: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<RefreshResult> {
    return this.refreshing.refresh(paths, options.signal, true);
  }

  update(paths?: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<RefreshResult> {
    return this.refreshing.refresh(paths, options.signal, false);
  }

  async search(query: string, { signal, ...options }: SearchOptions = {}): Promise<SearchHit[]> {
    const copies = await this.copies.current();
    const hits = await this.request('search', { query, options, without: copies.redundant }, signal);
    return copies.withoutRepeats(
      hits.filter(({ path }) => this.known.has(path)),
      ({ entryId, time }) => `${entryId} ${time}`,
    );
  }

  tools(): Promise<string[]> {
    return this.request('tools', undefined);
  }

  async labels(): Promise<StoredLabel[]> {
    const turn = new Yielder(this.options.signal);
    const labels = await this.recovery.withRecovery(() => this.readLabels(turn));
    return turn.run(sortSteps(labels, newestLabelFirst));
  }

  async touching(file: string): Promise<{ path: string; entryId: string; kind: 'read' | 'write' }[]> {
    const request = async (names: readonly string[]) => (await Promise.all(names.map((name) => this.request('touching', name)))).flat();
    return this.touches([file], request);
  }

  locatedTouches(files: readonly string[]): Promise<LocatedTouch[]> {
    return this.touches(files, (names) => this.request('locatedTouches', names));
  }

  namesOf(file: string): Promise<string[]> {
    return this.linkedFolders.namesOf(file);
  }

  pathHere(session: string, cwd: string, file: string): string {
    return this.machineFiles.pathHere(session, cwd, file);
  }

  usage({ by, ...filter }: { readonly by: UsageKey } & UsageFilter): Promise<UsageSum[]> {
    return this.usageSums.by(by, filter, this.options.signal);
  }

  session(path: string): Promise<Session> {
    const at = resolve(path);
    return readSession(at, defined({ dialect: rootOf(at, this.roots)?.dialect, signal: this.options.signal }));
  }

  async forget(paths?: readonly string[]): Promise<void> {
    const at = paths?.map((path) => resolve(path));
    for (const path of at ?? []) databases.retry(databaseOf(path) ?? path);
    await this.refreshing.enqueue(async () => {
      await this.indexWorker.forget(at);
      this.refreshing.drop(at);
    });
  }

  externalReset(): 'cleared' | 'replaced' | undefined {
    return this.refreshing.externalReset();
  }

  async close(): Promise<void> {
    this.refreshing.close();
    this.recovery.close();
    this.disk.releaseThread(this.searchWorker);
    this.indexWorker.stop();
    await this.refreshing.whenIdle();
    await this.searchWorker.close();
    // The writing thread closes last, which leaves a single file.
    this.stored.close();
    await this.indexWorker.close();
  }

  /** Returns the touches, beginning with the newest sessions. @param request sends the names and returns their touches */
  private async touches<T extends { readonly path: string }>(
    files: readonly string[],
    request: (names: readonly string[]) => Promise<readonly T[]>,
  ): Promise<T[]> {
    const names = new Set((await Promise.all(files.map((file) => this.namesOf(file)))).flat());
    const [touches, { redundant }] = await Promise.all([this.machineFiles.touches([...names], request), this.copies.current()]);
    const listed = touches.filter(({ path }) => this.known.has(path) && !redundant.has(path));
    const changedAt = ({ path }: T): number => valueOf(this.known, path).version.mtimeMs;
    return listed.sort((a, b) => changedAt(b) - changedAt(a));
  }

  /** Returns the labels of the known sessions in no order. */
  private async readLabels(turn: Yielder): Promise<StoredLabel[]> {
    const labels: StoredLabel[] = [];
    try {
      for (const slice of this.stored.labelSlices()) {
        for (const label of slice) if (this.known.has(label.path)) labels.push(label);
        await turn.yieldIfDue();
      }
    } catch (error) {
      throw this.stored.locateDamage(error);
    }
    return labels;
  }

  private *summariesWithout(redundant: ReadonlySet<string>): Generator<SessionSummary> {
    for (const file of this.known.values()) if (!redundant.has(file.path)) yield this.inRoot(file);
  }

  /** The summary of a file with what its root adds to it. */
  private inRoot({ path, owner, row: { summary } }: KnownFile): SessionSummary {
    const root = listingRoot(path, owner, this.roots);
    return root ? summaryInRoot(summary, root) : summary;
  }

  private readonly request: SearchWorkerClient['request'] = (kind, params, signal) =>
    this.recovery.withRecovery(() => this.searchWorker.request(kind, params, signal));
}
