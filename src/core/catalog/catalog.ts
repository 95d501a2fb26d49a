/** All sessions of the roots: rows for lists, search, labels, usage and touched files. */
import { resolve } from 'node:path';
import type { Session } from '../format/session/session';
import type { Steps } from '../format/session/steps';
import { Yielder } from '../files/concurrency/eventLoop';
import { sortSteps } from '../files/concurrency/sortSteps';
import type { LocatedTouch } from './encoding/touchTable';
import { CatalogCopies } from './copies/catalogCopies';
import { LinkedFolders } from './copies/linkedFolders';
import { MachineFiles } from './copies/machineFiles';
import { SearchWorkerClient } from './worker/searchWorkerClient';
import type { Catalog, CatalogOptions, CatalogProblem, RefreshResult } from './catalogApi';
import { CatalogUsage } from './catalogUsage';
import { rootOf, type Root } from '../files/locate/roots';
import { readSession } from '../files/read/sessionFile';
import { mapDatabaseError } from './database/databaseErrors';
import { ensureCacheDir, hasDatabase, type DatabaseLocation } from './database/database';
import { FirstRows } from './rows/firstRows';
import { normalizeRoot } from '../files/locate/catalogRoots';
import { defined } from '../format/entry/defined';
import { elementAt, valueOf } from '../format/entry/lookups';
import { DatabaseRecovery } from './database/databaseRecovery';
import { toCatalogRow, toRowProblem, type CatalogRow, type KnownFile, type StoredRow } from './rows/catalogRow';
import type { SessionSummary } from './rows/sessionSummary';
import type { InventoryFile } from './refresh/inventoryFile';
import { pathsWithin } from './refresh/pathScope';
import type { IndexWork, ReadFile } from './store/catalogSource';
import { shownSummary, type ListedSession } from './store/listedSession';
import { SessionStore } from './store/sessionStore';
import type { SearchHit, SearchOptions } from './search/search';
import { hasFts5, loadSqlite } from '../files/io/loadSqlite';
import { CACHE_KB, type DatabaseGeneration } from './database/readingConnection';
import { CatalogReader, newestLabelFirst, type StoredLabel } from './database/catalogReader';
import { decodeFile } from './encoding/fileColumns';
import { SharedStrings } from './encoding/sharedStrings';
import { projectFolders } from './rows/projectFolders';
import type { UsageFilter, UsageKey, UsageSum } from './rows/usageBy';
import { IndexWorkerClient, type IndexProgress } from './worker/indexWorkerClient';
import type { StaleFile } from './worker/workerProtocol';
import { WATCH_LIMITS, type WatchLimits } from '../files/concurrency/threadWatch';

/**
 * Opens a catalog. Resolves as soon as `sessions()` can return the known rows: the rows of the database, or in a new
 * store rows made from the beginnings and ends of the newest files. Then it compares the disk and reads new files in
 * the background, and reports them to `onRows`.
 *
 * @throws {SessionError} `invalid` if Node has no SQLite; `permission` or `no-space` if the folder can't be used.
 * @throws the signal's reason if aborted.
 */
export function openCatalog(options: CatalogOptions): Promise<Catalog> {
  return openCatalogWith(options, undefined);
}

/** @param hasWordIndex whether to use FTS5; by default if SQLite has it. @param limits when a thread that reads files is stuck */
export async function openCatalogWith(
  options: CatalogOptions,
  hasWordIndex: boolean | undefined,
  limits: WatchLimits = WATCH_LIMITS,
): Promise<Catalog> {
  options.signal?.throwIfAborted();
  loadSqlite();
  try {
    ensureCacheDir(options.cacheDir);
  } catch (error) {
    throw mapDatabaseError(error, options.cacheDir);
  }
  const place = {
    cacheDir: options.cacheDir,
    // Asking SQLite takes a third of a millisecond, and the first rows of a new store need no database.
    get hasWordIndex() {
      return (hasWordIndex ??= hasFts5());
    },
  };
  const catalog = new OpenCatalog(options, place, limits);
  await catalog.open();
  return catalog;
}

class OpenCatalog implements Catalog {
  readonly firstRows: FirstRows;
  /** Holds the rows: an own one, if the caller has none. */
  private readonly store: SessionStore;
  private readonly known: ReadonlyMap<string, ListedSession>;
  private readonly strings = new SharedStrings();
  private readonly roots: readonly Root[];
  private readonly stored: CatalogReader;
  private readonly indexWorker: IndexWorkerClient;
  private readonly searchWorker: SearchWorkerClient;
  private readonly recovery: DatabaseRecovery;
  private readonly machineFiles: MachineFiles;
  private readonly linkedFolders: LinkedFolders;
  private readonly copies: CatalogCopies;
  private readonly usageSums: CatalogUsage;
  /** Files that changed in the background since the last refresh. */
  private readonly unreported = new Set<string>();
  private background: Promise<unknown> = Promise.resolve();
  private isOpen = false;
  private isClosed = false;
  /** The database that this catalog fills; `undefined` until there is one. */
  private generation: DatabaseGeneration | undefined;

  constructor(
    private readonly options: CatalogOptions,
    place: DatabaseLocation,
    limits: WatchLimits,
  ) {
    this.roots = options.roots.map(normalizeRoot);
    this.stored = new CatalogReader(place, CACHE_KB.list, this.strings);
    this.indexWorker = new IndexWorkerClient(place, options.onLeftOut, limits);
    this.searchWorker = new SearchWorkerClient({ database: place, roots: this.roots });
    this.store = options.store ?? this.ownStore();
    this.known = this.store.files();
    this.store.disk.useThread(this.searchWorker);
    this.machineFiles = new MachineFiles(this.roots);
    this.linkedFolders = new LinkedFolders(this.known, (name) => this.request('pathsNamed', name), options.signal);
    this.copies = new CatalogCopies(this.known, this.roots, this.store.disk.copies);
    this.usageSums = new CatalogUsage({
      known: this.known,
      copies: this.copies,
      stored: () => this.request('usage', undefined),
      session: (path) => this.session(path),
    });
    this.recovery = new DatabaseRecovery(this.indexWorker, () => this.rereadAll(), options.cacheDir);
    this.firstRows = new FirstRows(this.roots, (files) => this.firstRowsOf(files), options.signal);
  }

  /** Stored rows are ready immediately, and compared with the disk later. Without stored rows, waits for the newest files' rows. */
  async open(): Promise<void> {
    if (!this.options.store) {
      await this.store.open(this.options.signal);
      // Errors are reported by the next `refresh`, which does the remaining work.
      if (this.options.background ?? true) this.background = this.store.refresh(undefined, this.options.signal).catch(() => undefined);
    }
    this.isOpen = true;
    this.recovery.scheduleCheck();
  }

  async *storedRows(): AsyncGenerator<readonly KnownFile[]> {
    if (!hasDatabase(this.options.cacheDir)) return;
    const pause = new Yielder(this.options.signal);
    const slices = this.stored.files();
    for (;;) {
      const files = sliceOf(slices);
      if (!files) break;
      yield files;
      await pause.yieldIfDue();
    }
    this.externalReset();
  }

  isReady(): boolean {
    return this.indexWorker.isReady;
  }

  async index(
    { files, gone, isComplete }: IndexWork,
    onRead: (files: readonly ReadFile[]) => void,
    signal?: AbortSignal,
  ): Promise<'done' | 'rebuilt'> {
    if (this.isClosed) throw new Error('The catalog is closed.');
    if (files.length + gone.length > 0 || this.isUnfinished()) {
      const isRebuilt = await this.indexWorker.index({ files, gone, isComplete }, signal, (progress) => {
        onRead(this.readFiles(files, progress));
        this.options.onProgress?.(progress.done, progress.total);
      });
      signal?.throwIfAborted();
      if (isRebuilt) {
        this.generation = undefined;
        return 'rebuilt';
      }
    }
    // A new database can only be recognized once it has been filled.
    this.externalReset();
    return 'done';
  }

  async sessions(): Promise<CatalogRow[]> {
    const copies = await this.copies.current();
    const turn = new Yielder(this.options.signal);
    const files = [...this.known.values()].filter(({ path }) => !copies.redundant.has(path));
    const rows: CatalogRow[] = [];
    for (const file of await turn.run(sortSteps(files, (a, b) => b.row.summary.modified - a.row.summary.modified))) {
      rows.push(Object.assign(toCatalogRow(file, shownSummary(file)), copies.rowFields(file.path)));
      if (turn.isDue()) await turn.yieldIfDue();
    }
    return rows;
  }

  async folders(): Promise<string[]> {
    const { redundant } = await this.copies.current();
    return new Yielder(this.options.signal).run(projectFolders(this.summariesWithout(redundant)));
  }

  files(): ReadonlyMap<string, ListedSession> {
    return this.known;
  }

  async refresh(paths?: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<RefreshResult> {
    if (this.isClosed) throw new Error('The catalog is closed.');
    const signals = [this.options.signal, options.signal].filter((one) => one !== undefined);
    const { changed, failed } = await this.store.refresh(paths, signals.length > 1 ? AbortSignal.any(signals) : signals[0]);
    for (const path of changed) this.unreported.add(path);
    const all = [...this.unreported];
    this.unreported.clear();
    const problems = failed.map(({ path, error }) => ({ path, ...toRowProblem(error) }));
    const at = paths?.map((path) => resolve(path));
    // Without the signal: everything is read by now.
    return { changed: all, problems: [...problems, ...(await new Yielder(undefined).run(problemsOf(this.known, at)))] };
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
    await this.indexWorker.forget(at);
    if (paths === undefined) this.generation = undefined;
    // The rows of another store stay until they are read again.
    if (this.options.store) this.store.markUnindexed(at);
    else this.store.drop(at);
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
    this.isClosed = true;
    this.recovery.close();
    this.store.disk.releaseThread(this.searchWorker);
    this.indexWorker.stop();
    await this.background;
    await this.searchWorker.close();
    // The writing thread closes last, which leaves a single file.
    this.stored.close();
    await this.indexWorker.close();
  }

  private ownStore(): SessionStore {
    return new SessionStore({
      roots: () => this.roots,
      source: {
        catalog: () => Promise.resolve(this),
        // Whoever refreshes waits until the files are searchable.
        isReady: () => true,
        index: (work, onRead, signal) => this.index(work, onRead, signal),
      },
      onProblem: () => undefined,
      onChange: ({ changed, removed }) => {
        if (!this.isOpen) return;
        const paths = [...changed, ...removed];
        for (const path of paths) this.unreported.add(path);
        this.options.onRows?.(paths);
      },
    });
  }

  /** Reads all files again, after the database was rebuilt. */
  private async rereadAll(): Promise<void> {
    this.generation = undefined;
    this.store.markUnindexed();
    await this.store.refresh(undefined, this.options.signal);
  }

  private async firstRowsOf(files: readonly StaleFile[]): Promise<readonly StoredRow[]> {
    // A thread that starts needs a processor, and has rows soon.
    await this.indexWorker.whenStarted();
    const rows = await this.searchWorker.request('quickScan', files, this.options.signal);
    return rows.map((columns, at) => decodeFile(elementAt(files, at).path, columns, this.strings).row);
  }

  private readFiles(files: readonly InventoryFile[], { files: read, gone }: IndexProgress): ReadFile[] {
    return [
      ...read.map(({ index, columns }): ReadFile => {
        const file = elementAt(files, index);
        return [file, decodeFile(file.path, columns, this.strings)];
      }),
      ...gone.map((index): ReadFile => [elementAt(files, index), undefined]),
    ];
  }

  /** True if a process ended before it had added words, or erased removed data. */
  private isUnfinished(): boolean {
    try {
      return this.stored.isUnfinished();
    } catch {
      // It is locked or broken: the next read or write reports it.
      return false;
    }
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
    for (const file of this.known.values()) if (!redundant.has(file.path)) yield shownSummary(file);
  }

  private readonly request: SearchWorkerClient['request'] = (kind, params, signal) =>
    this.recovery.withRecovery(() => this.searchWorker.request(kind, params, signal));
}

/** Returns the next slice; `undefined` after the last one, or if the database is damaged: all files are read again then. */
function sliceOf(slices: Iterator<KnownFile[], unknown>): KnownFile[] | undefined {
  try {
    const next = slices.next();
    return next.done === true ? undefined : next.value;
  } catch {
    return undefined;
  }
}

/** Returns why known files at or under the paths can't be read. */
function* problemsOf(known: ReadonlyMap<string, KnownFile>, paths: readonly string[] | undefined): Steps<CatalogProblem[]> {
  const problems: CatalogProblem[] = [];
  const addProblem = (file: KnownFile | undefined): void => {
    if (file?.row.problem) problems.push({ path: file.path, ...file.row.problem });
  };
  // Without a list of all files, and without an iterator, of which each step makes an object.
  if (paths) for (const path of yield* pathsWithin(known, paths)) addProblem(known.get(path));
  else known.forEach(addProblem);
  return problems;
}
