/** All sessions of the roots: what a list shows, search, labels, usage, touched files. */
import { resolve } from 'node:path';
import type { Session } from '../format/session/session';
import { yieldToEventLoop } from '../files/io/eventLoop';
import { rootOf, type Root } from '../files/locate/roots';
import { findFileVersion, followSession, readSession } from '../files/read/sessionFile';
import { sameVersion } from '../files/read/compareVersions';
import { SearchWorkerClient } from './worker/searchWorkerClient';
import type { Catalog, CatalogOptions } from './catalogApi';
import { initialDiff, loadStoredRows, type InitialDiff } from './refresh/initialDiff';
import { mapDatabaseError } from './database/databaseErrors';
import { ensureCacheDir, type DatabaseLocation } from './database/database';
import { FirstRows } from './rows/firstRows';
import { isUnderAny, diffWithDisk, problemsOf, normalizeRoot, type CatalogProblem, type DiskDiff } from './refresh/diskDiff';
import { DatabaseRecovery } from './database/databaseRecovery';
import { toCatalogRow, type CatalogRow, type KnownFile } from './rows/catalogRow';
import type { SearchHit, SearchOptions } from './search/search';
import { hasFts5, loadSqlite } from './database/sqlite';
import { CatalogReader, type DatabaseGeneration } from './database/catalogReader';
import { usageBy, type UsageKey, type UsageSum } from './rows/usageBy';
import { FileVersionReader } from './refresh/fileVersionReader';
import { IndexWorkerClient } from './worker/indexWorkerClient';

/**
 * Resolves as soon as `sessions()` can answer with what is known: the database's rows; in a new store what the beginnings
 * and ends of its newest files tell. Then, behind, the disk is compared, and what is not known is read; `onRows` tells.
 *
 * @throws {SessionError} `invalid` where Node has no SQLite, `permission` or `no-space` where the folder can't be used;
 * the signal's reason when it is aborted.
 */
export function openCatalog(options: CatalogOptions): Promise<Catalog> {
  return openCatalogWith(options, undefined);
}

/** `indexed`: whether to use FTS5, by default if it is there. */
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
  private readonly roots: readonly Root[];
  private readonly stored: CatalogReader;
  private readonly indexWorker: IndexWorkerClient;
  private readonly searchWorker: SearchWorkerClient;
  private readonly recovery: DatabaseRecovery;
  private readonly firstRows: FirstRows;
  private readonly versions: FileVersionReader;
  private pendingWork: Promise<unknown> = Promise.resolve();
  /** What changed in the background since somebody was told. */
  private readonly unreportedChanges = new Set<string>();
  private closed = false;
  /** Of the database as this catalog fills it; taken when it is next there. */
  private generation: DatabaseGeneration | undefined;

  constructor(
    private readonly options: CatalogOptions,
    place: DatabaseLocation,
  ) {
    this.roots = options.roots.map(normalizeRoot);
    this.stored = new CatalogReader(place);
    this.indexWorker = new IndexWorkerClient(place);
    this.searchWorker = new SearchWorkerClient({ answering: place, roots: this.roots });
    const folders = this.roots.map(({ path }) => path);
    this.versions = new FileVersionReader(this.searchWorker, folders);
    this.recovery = new DatabaseRecovery(this.indexWorker, () => this.rereadAll(), options.cacheDir);
    this.firstRows = new FirstRows(this.known, options, (files) => this.searchWorker.request('looks', files, options.signal), folders);
  }

  /** What the database has can be shown at once, and is compared with the disk behind; without it the first files are looked at. */
  async open(): Promise<void> {
    const place = { roots: this.roots, signal: this.options.signal, readVersions: this.versions.read };
    const compared = (): Promise<InitialDiff> => initialDiff(place, this.known, this.firstRows);
    await loadStoredRows(this.stored, place, this.known);
    this.externalReset();
    const differing = this.known.size > 0 ? yieldToEventLoop().then(compared) : await compared();
    // Whoever wants to know how it went calls `refresh` himself, which then has nothing left to do but to tell.
    this.pendingWork = this.catchUp(differing).catch(() => undefined);
    this.recovery.scheduleCheck();
  }

  sessions(): Promise<CatalogRow[]> {
    return Promise.resolve(Array.from([...this.known.values()].sort((a, b) => b.row.summary.modified - a.row.summary.modified), toCatalogRow));
  }

  files(): ReadonlyMap<string, KnownFile> {
    return this.known;
  }

  refresh(paths?: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<{ changed: string[]; problems: CatalogProblem[] }> {
    const signals = [this.options.signal, options.signal].filter((signal) => signal !== undefined);
    const work = this.pendingWork.then(async () => {
      const { changed, problems } = await this.refreshFiles(paths?.map((path) => resolve(path)), signals.length > 1 ? AbortSignal.any(signals) : signals[0]);
      const all = new Set([...this.unreportedChanges, ...changed]);
      this.unreportedChanges.clear();
      return { changed: [...all], problems };
    });
    this.pendingWork = work.catch(() => undefined);
    return work;
  }

  async search(query: string, { signal, ...options }: SearchOptions = {}): Promise<SearchHit[]> {
    return (await this.request('search', { query, options }, signal)).filter(({ path }) => this.known.has(path));
  }

  tools(): Promise<string[]> {
    return this.request('tools', undefined);
  }

  async labels(): Promise<{ path: string; entryId: string; label: string; timestamp: number }[]> {
    return (await this.recovery.withRecovery(() => this.stored.withLocatedDamage(() => this.stored.labels()))).filter(({ path }) => this.known.has(path));
  }

  async touching(file: string): Promise<{ path: string; entryId: string; kind: 'read' | 'write' }[]> {
    return (await this.request('touching', file)).filter(({ path }) => this.known.has(path));
  }

  async usage({ by }: { readonly by: UsageKey }): Promise<UsageSum[]> {
    const usage = await this.request('usage', undefined);
    // The database may hold what other windows' roots have.
    return usageBy(by, usage.filter(({ path }) => this.known.has(path)), (path) => this.known.get(path)!.row.summary.cwd);
  }

  async session(path: string): Promise<Session> {
    const at = resolve(path);
    const dialect = rootOf(at, this.roots)?.dialect;
    const options = { ...(dialect ? { dialect } : {}), ...(this.options.signal ? { signal: this.options.signal } : {}) };
    // What can't be looked at says why when it is read.
    const version = await findFileVersion(at).catch(() => undefined);
    const known = this.known.get(at);
    const stored = version && known?.version.ino === version.ino ? this.recovery.readOrRecover(() => this.stored.withLocatedDamage(() => this.stored.session(at))) : undefined;
    // What was rewritten in place is read anew; whether it only grew `followSession` looks at.
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
      // It is locked, or broken: whoever reads or writes next tells.
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    this.recovery.close();
    this.indexWorker.stop();
    await this.pendingWork;
    await this.searchWorker.close();
    // The worker last: whoever writes and is the last to close leaves a single file.
    this.stored.close();
    await this.indexWorker.close();
  }

  /** The database is read after its check, not beside it: another window may replace it in between. The thread that reads starts meanwhile. */
  private readonly request: SearchWorkerClient['request'] = (kind, of, signal) => {
    const told = this.recovery.withRecovery(() => this.searchWorker.request(kind, of, signal));
    this.searchWorker.ensureStarted();
    return told;
  };

  private async refreshFiles(paths: readonly string[] | undefined, signal: AbortSignal | undefined, listed?: DiskDiff): Promise<{ changed: string[]; problems: CatalogProblem[] }> {
    signal?.throwIfAborted();
    if (this.closed) throw new Error('The catalog is closed.');
    const { unchanged: same, stale, gone, failed } = listed ?? (await diffWithDisk({ roots: this.roots, signal, readVersions: this.versions.read }, paths, this.known));
    // Some can't be looked at any more, for a reason that is new.
    const unseen = same.flatMap(({ path, row }) => (row.problem && row.problem.message !== this.known.get(path)?.row.problem?.message ? [path] : []));
    for (const file of same) this.known.set(file.path, file);
    const changed = new Set([...gone, ...unseen]);
    for (const path of gone) this.known.delete(path);
    if (changed.size > 0) this.options.onRows?.([...changed]);
    signal?.throwIfAborted();
    if (stale.length + gone.length > 0) {
      const fresh = stale.filter(({ path }) => this.known.get(path)?.complete !== true);
      const anew = await this.indexWorker.index({ files: stale, gone }, fresh, signal, (progress) => {
        for (const known of progress.files) {
          this.known.set(known.path, known);
          changed.add(known.path);
        }
        for (const path of progress.gone) {
          this.known.delete(path);
          changed.add(path);
        }
        this.options.onRows?.([...progress.files.map(({ path }) => path), ...progress.gone]);
        this.options.onProgress?.(progress.done, stale.length);
      });
      signal?.throwIfAborted();
      if (anew) {
        this.markAllIncomplete();
        const again = await this.refreshFiles(undefined, signal);
        return { changed: [...new Set([...changed, ...again.changed])], problems: again.problems };
      }
    }
    // A new database has no state to compare with before it is filled.
    this.externalReset();
    return { changed: [...changed], problems: [...failed, ...problemsOf(this.known, paths)] };
  }

  /** Of a database that was made anew: all must be read again. */
  private rereadAll(): Promise<void> {
    const work = this.pendingWork.then(async () => {
      this.markAllIncomplete();
      for (const path of (await this.refreshFiles(undefined, this.options.signal)).changed) this.unreportedChanges.add(path);
    });
    this.pendingWork = work.catch(() => undefined);
    return work;
  }

  private markAllIncomplete(): void {
    this.generation = undefined;
    for (const [path, known] of this.known) this.known.set(path, { ...known, complete: false });
  }

  private async catchUp(compared: InitialDiff | Promise<InitialDiff>): Promise<void> {
    const { diff: listed, remaining: rest } = await compared;
    const rows = listed.stale.flatMap(({ path }) => (this.known.has(path) ? [path] : []));
    if (rows.length > 0) this.options.onRows?.(rows);
    if (listed.stale.length + listed.gone.length === 0) return;
    const { signal, background = true } = this.options;
    // First whoever waits for the first rows: to start a thread takes time here, too.
    await yieldToEventLoop();
    const looking = background ? this.refreshFiles(undefined, signal, listed) : undefined;
    // A thread that starts needs a processor, and soon tells of more.
    const [read] = await Promise.all([looking, this.indexWorker.whenStarted().then(() => this.firstRows.scanRemaining(rest, background))]);
    for (const path of read?.changed ?? []) this.unreportedChanges.add(path);
  }
}
