/** All sessions of the roots: rows for lists, search, labels, usage and touched files. */
import { join, resolve } from 'node:path';
import type { Session } from '../format/session/session';
import { stepCounter, type Steps } from '../format/session/steps';
import { Yielder } from '../files/concurrency/eventLoop';
import { sortSteps } from '../files/concurrency/sortSteps';
import { placeWithin } from '../files/relink/movedPaths';
import type { FolderTouch, LocatedTouch } from './encoding/touchTable';
import { CatalogCopies } from './copies/catalogCopies';
import { LinkedFolders } from './copies/linkedFolders';
import { MachineFiles } from './copies/machineFiles';
import { SearchWorkerClient } from './worker/searchWorkerClient';
import { CatalogIndex } from './catalogIndex';
import type { Catalog, CatalogOptions, CatalogProblem, RefreshResult } from './catalogApi';
import { CatalogUsage } from './catalogUsage';
import { rootOf, type Root } from '../files/locate/roots';
import { readSession } from '../files/read/sessionFile';
import { mapDatabaseError } from './database/databaseErrors';
import { ensureCacheDir, type DatabaseLocation } from './database/database';
import { normalizeRoot } from '../files/locate/catalogRoots';
import { defined } from '../format/values/defined';
import { valueOf } from '../format/values/lookups';
import { DatabaseRecovery } from './database/databaseRecovery';
import { toCatalogRow, toRowProblem, type CatalogRow } from './rows/catalogRow';
import { addStates } from './rows/sessionStates';
import { byLastActivity, type SessionSummary } from './rows/sessionSummary';
import { pathsWithin } from './refresh/pathScope';
import { familyFinder } from './store/families';
import { shownSummary, type ListedSession } from './store/listedSession';
import { parentFinder } from './store/sessionParents';
import { SessionStore } from './store/sessionStore';
import type { KnownWord } from './search/knownWords';
import type { SearchHit, SearchOptions, SessionSearchOptions } from './search/search';
import type { SearchQuery } from './search/query/queryPrefixes';
import { excludesOnly } from './search/query/searchQuery';
import { needsRows, ownFacts, type RowFacts } from './search/rowStates';
import { hasFilter } from './search/searchFilter';
import { resolveQuery, type KnownNames } from './search/typedSearch';
import { requireFts5 } from '../files/io/loadSqlite';
import { newestLabelFirst, type StoredLabel } from './database/catalogReader';
import { projectFolders } from './rows/projectFolders';
import type { UsageFilter, UsageKey, UsageSum } from './rows/usageBy';
import type { UsageFact } from './rows/usageReport';
import { WorktreeFinder } from '../files/git/worktreeFinder';
import { databaseOf } from '../files/database/databaseSession';
import { databases } from '../files/database/thread/databaseThread';
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
  readonly index: CatalogIndex;
  /** Holds the rows: an own one, if the caller has none. */
  private readonly store: SessionStore;
  private readonly known: ReadonlyMap<string, ListedSession>;
  private readonly roots: readonly Root[];
  private readonly searchWorker: SearchWorkerClient;
  private readonly worktrees = new WorktreeFinder();
  private readonly recovery: DatabaseRecovery;
  private readonly machineFiles: MachineFiles;
  private readonly linkedFolders: LinkedFolders<ListedSession>;
  private readonly copies: CatalogCopies;
  private readonly usageSums: CatalogUsage;
  /** Files that changed in the background since the last refresh. */
  private readonly unreported = new Set<string>();
  private background: Promise<unknown> = Promise.resolve();
  private isOpen = false;

  constructor(
    private readonly options: CatalogOptions,
    limits: WatchLimits,
  ) {
    const place: DatabaseLocation = { cacheDir: options.cacheDir };
    this.roots = options.roots.map(normalizeRoot);
    this.searchWorker = new SearchWorkerClient({ database: place, roots: this.roots });
    this.index = new CatalogIndex(options, place, limits, {
      roots: this.roots,
      quickScan: (files) => this.searchWorker.request('quickScan', files, options.signal),
    });
    this.store = options.store ?? this.ownStore();
    this.known = this.store.files();
    this.store.disk.useThread(this.searchWorker);
    this.machineFiles = new MachineFiles(this.roots);
    this.linkedFolders = new LinkedFolders(this.known, shownSummary, (name) => this.request('pathsNamed', name), options.signal);
    this.copies = new CatalogCopies(this.known, this.roots, this.store.disk.copies);
    this.usageSums = new CatalogUsage({
      known: this.known,
      copies: this.copies,
      stored: (request) => this.request('usage', request),
      worktreeOf: this.worktrees.of,
      checkWorktrees: async () => this.worktrees.check(await this.folders()),
    });
    this.recovery = new DatabaseRecovery(this.index.worker, () => this.rereadAll(), options.cacheDir);
  }

  /** Stored rows are ready immediately, and compared with the disk later. Without stored rows, waits for the newest files' rows. */
  async open(): Promise<void> {
    const { canBlock } = this.options;
    if (canBlock) {
      const { blockingReads } = await import('./refresh/blockingReads');
      const paths = this.roots.map(({ path }) => path);
      this.store.disk.useThread(blockingReads(paths, canBlock.read));
    }
    if (!this.options.store) {
      await this.store.open(this.options.signal);
      // Errors are reported by the next `refresh`, which does the remaining work.
      if (this.options.background ?? true) this.background = this.store.refresh(undefined, this.options.signal).catch(() => undefined);
    }
    this.isOpen = true;
    this.recovery.scheduleCheck();
  }

  async sessions(): Promise<CatalogRow[]> {
    const copies = await this.copies.current();
    const turn = new Yielder(this.options.signal);
    const files = [...this.known.values()].filter(({ path, kind }) => kind !== 'other' && !copies.redundant.has(path));
    const rows: CatalogRow[] = [];
    const find = await turn.run(
      parentFinder(
        files.filter((file) => file.kind === 'session'),
        stepCounter(),
      ),
    );
    const family = familyFinder((path) => (copies.redundant.has(path) ? undefined : this.known.get(path)), find);
    for (const file of await turn.run(sortSteps(files, (a, b) => byLastActivity(a.row.summary, b.row.summary)))) {
      const summary = shownSummary(file);
      const repository = this.worktrees.of(summary.cwd)?.repository;
      const parentPath = family(file)?.parent;
      const added = { ...copies.rowFields(file.path), ...defined({ repository, parentPath }), ...this.options.marksOf?.(summary.id) };
      rows.push(Object.assign(toCatalogRow(file, summary), added));
      if (turn.isDue()) await turn.yieldIfDue();
    }
    await addStates(rows);
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
    this.index.assertOpen();
    const signals = [this.options.signal, options.signal].filter((one) => one !== undefined);
    const { changed, failed } = await this.store.refresh(paths, signals.length > 1 ? AbortSignal.any(signals) : signals[0]);
    if (paths) await this.worktrees.check([...changed].flatMap((path) => this.known.get(path)?.row.summary.cwd ?? []));
    // A refresh of everything looks at all folders again.
    else await this.worktrees.check(await this.folders(), -1);
    for (const path of changed) this.unreported.add(path);
    const all = [...this.unreported];
    this.unreported.clear();
    const problems = failed.map(({ path, error }) => ({ path, ...toRowProblem(error) }));
    const at = paths?.map((path) => resolve(path));
    // Without the signal: everything is read by now.
    return { changed: all, problems: [...problems, ...(await new Yielder(undefined).run(problemsOf(this.known, at)))] };
  }

  async search(text: string, { signal, ...given }: SearchOptions = {}): Promise<SearchHit[]> {
    signal?.throwIfAborted();
    const { words, options } = await resolveQuery(text, given, this.names);
    const copies = await this.copies.current();
    const hits = await this.request('search', { query: words, options, without: copies.redundant }, signal);
    return copies.withoutRepeats(
      hits.filter(({ path }) => this.known.has(path)),
      ({ entryId, time }) => `${entryId} ${time}`,
    );
  }

  async knownWords(text: string, { signal, ...given }: SearchOptions = {}): Promise<KnownWord[]> {
    signal?.throwIfAborted();
    const { words, options } = await resolveQuery(text, given, this.names);
    const { redundant } = await this.copies.current();
    return this.request('knownWords', { query: words, options, without: redundant }, signal);
  }

  async sessionsMatching(text: string, { signal, ...given }: SessionSearchOptions = {}): Promise<string[]> {
    signal?.throwIfAborted();
    const { words, options } = await resolveQuery(text, given, this.names);
    const { paths, ...others } = options;
    const { redundant } = await this.copies.current();
    const isListed = (path: string): boolean => this.known.has(path) && !redundant.has(path);
    // A state or a tag has made another set.
    const isOfState = paths !== given.paths;
    if (!hasFilter(others)) {
      if (words === '') return isOfState ? [...(paths ?? [])].filter(isListed) : [];
      if (!isOfState && excludesOnly(words)) return [];
    }
    const found = await this.request('sessionsMatching', { query: words, options, without: redundant }, signal);
    return found.filter(isListed);
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

  async touchesWithin(folder: string): Promise<FolderTouch[]> {
    const at = resolve(folder);
    const touches = await this.touches([at], (names) => this.request('touchesWithin', names));
    const names = await this.namesOf(at);
    const files = new Map<string, string | undefined>();
    return touches.flatMap((touch) => {
      const here = this.pathHere(touch.path, at, touch.file);
      if (!files.has(here)) {
        const rest = names.map((name) => placeWithin(name, here)).find((one) => one !== undefined);
        files.set(here, rest === undefined ? undefined : join(at, rest));
      }
      const file = files.get(here);
      return file === undefined ? [] : [{ ...touch, file }];
    });
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

  usageFacts(timeZone: string, since?: number): Promise<UsageFact[]> {
    return this.usageSums.facts(defined({ timeZone, since }), this.options.signal);
  }

  session(path: string): Promise<Session> {
    const at = resolve(path);
    return readSession(at, defined({ dialect: rootOf(at, this.roots)?.dialect, signal: this.options.signal }));
  }

  async forget(paths?: readonly string[]): Promise<void> {
    const at = paths?.map((path) => resolve(path));
    for (const path of at ?? []) databases.retry(databaseOf(path) ?? path);
    await this.index.forget(at);
    // The rows of another store stay until they are read again.
    if (this.options.store) this.store.markUnindexed(at);
    else this.store.drop(at);
  }

  externalReset(): 'cleared' | 'replaced' | undefined {
    return this.index.externalReset();
  }

  async close(): Promise<void> {
    this.recovery.close();
    this.store.disk.releaseThread(this.searchWorker);
    this.index.stop();
    await this.background;
    await this.searchWorker.close();
    await this.index.close();
  }

  private ownStore(): SessionStore {
    return new SessionStore({
      roots: () => this.roots,
      source: {
        index: () => Promise.resolve(this.index),
        // Whoever refreshes waits until the files are searchable.
        isReady: () => true,
        read: (work, onRead, signal) => this.index.read(work, onRead, signal),
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
    this.index.markLost();
    this.store.markUnindexed();
    await this.store.refresh(undefined, this.options.signal);
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
      for (const slice of this.index.stored.labelSlices()) {
        for (const label of slice) if (this.known.has(label.path)) labels.push(label);
        await turn.yieldIfDue();
      }
    } catch (error) {
      throw this.index.stored.locateDamage(error);
    }
    return labels;
  }

  private *summariesWithout(redundant: ReadonlySet<string>): Generator<SessionSummary> {
    for (const file of this.known.values()) if (file.kind !== 'other' && !redundant.has(file.path)) yield shownSummary(file);
  }

  /** Everything that a query may name. */
  private readonly names: KnownNames = {
    tools: () => this.tools(),
    folders: () => this.folders(),
    facts: (query, paths) => this.facts(query, paths),
  };

  private async facts(query: SearchQuery, paths: ReadonlySet<string> | undefined): Promise<readonly RowFacts[]> {
    if (needsRows(query)) return this.sessions();
    const turn = new Yielder(this.options.signal);
    const facts: RowFacts[] = [];
    const files = paths ? Array.from(paths, (path) => this.known.get(path)) : this.known.values();
    for (const file of files) {
      if (file && file.kind !== 'other') {
        const summary = shownSummary(file);
        facts.push(ownFacts(summary, this.options.marksOf?.(summary.id)));
      }
      if (turn.isDue()) await turn.yieldIfDue();
    }
    return facts;
  }

  private readonly request: SearchWorkerClient['request'] = (kind, params, signal) =>
    this.recovery.withRecovery(() => this.searchWorker.request(kind, params, signal));
}

/** Returns why known files at or under the paths can't be read. */
function* problemsOf(known: ReadonlyMap<string, ListedSession>, paths: readonly string[] | undefined): Steps<CatalogProblem[]> {
  const problems: CatalogProblem[] = [];
  const addProblem = (file: ListedSession | undefined): void => {
    if (file?.row.problem && file.kind !== 'other') problems.push({ path: file.path, ...file.row.problem });
  };
  // Without a list of all files, and without an iterator, of which each step makes an object.
  if (paths) for (const path of yield* pathsWithin(known, paths)) addProblem(known.get(path));
  else known.forEach(addProblem);
  return problems;
}
