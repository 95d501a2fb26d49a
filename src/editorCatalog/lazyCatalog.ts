/**
 * The editor's catalog: opened when it is first needed, reopened when the roots change, updated when the store refreshes
 * everything, and stopped by the user. If it can't be used, the reason is reported once and the store reads by itself.
 */
import * as vscode from 'vscode';
import {
  openCatalog,
  SessionError,
  settledWithin,
  type Catalog,
  type CatalogOptions,
  type CatalogSource,
  type IndexWork,
  type ReadFile,
  type Root,
  type RowIndex,
  type SessionStore,
} from '../core/index';
import { COMPLETE, catalogError, type CatalogProgress } from './catalogProgress';
import { CatalogReads } from './catalogReads';
import { CatalogStatus } from './catalogStatus';

interface LazyCatalogDeps {
  /** Folder of the database, for its owner alone. */
  readonly cacheDir: string;
  readonly roots: () => readonly Root[];
  /** Holds the rows of the catalog. */
  readonly store: () => SessionStore;
  /** Returns the tags and the note that a person gave a session, by its id. */
  readonly marksOf: NonNullable<CatalogOptions['marksOf']>;
  /** Called with a file that can't be read to its end, and the reason. */
  readonly onProblem: (path: string, error: unknown) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Milliseconds between two reports of changes of few sessions. */
const REPORT_INTERVAL = 400;

interface OpenedCatalog {
  /** Identifies the roots that it was opened for. */
  readonly key: string;
  readonly catalog: Promise<Catalog>;
  readonly stop: AbortController;
}

export class LazyCatalog implements CatalogSource, vscode.Disposable {
  private opened: OpenedCatalog | undefined;
  private readonly reads = new CatalogReads();
  private current: Catalog | undefined;
  /** The number of requests for everything that run. The progress of others isn't shown. */
  private readingAll = 0;
  private reportTimer: NodeJS.Timeout | undefined;
  private closing: Promise<void> = Promise.resolve();
  private isDisposed = false;
  private readonly status = new CatalogStatus();
  readonly onDidChange = this.status.onDidChange;
  readonly onDidChangeSessions = this.status.onDidChangeSessions;

  constructor(private readonly deps: LazyCatalogDeps) {}

  progress(): CatalogProgress {
    return this.status.progress();
  }

  /**
   * Opens the catalog if necessary. Missing files are read when the store refreshes everything.
   *
   * @throws {SessionError} if there can be no catalog; the next call tries again.
   */
  async open(): Promise<Catalog> {
    const catalog = await this.ensureOpen();
    if (this.status.isCleared) {
      this.status.isCleared = false;
      this.refreshInBackground();
    }
    return catalog;
  }

  /**
   * Works like {@link open} for views and background work, which must not refill a catalog that a person has cleared, even in another
   * window. Resolves to `undefined` then.
   *
   * @throws {SessionError} as `open`
   */
  async openUnlessCleared(): Promise<Catalog | undefined> {
    if (this.status.isCleared) return undefined;
    const catalog = await this.ensureOpen();
    return this.progress().isCleared ? undefined : catalog;
  }

  async catalog(): Promise<Catalog | undefined> {
    if (this.status.problem || this.isDisposed) return undefined;
    try {
      return await this.openUnlessCleared();
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  async index(): Promise<RowIndex | undefined> {
    return (await this.catalog())?.index;
  }

  isReady(): boolean {
    return this.current?.index.isReady() === true;
  }

  /** Never rejects. Changes of few files are also indexed after `stop`. */
  async read(work: IndexWork, onRead: (files: readonly ReadFile[]) => void): Promise<'done' | 'failed' | 'rebuilt'> {
    const { opened } = this;
    if (!opened || this.status.problem || this.status.isCleared || (this.status.isStopped && work.isComplete)) return 'failed';
    const { catalog, stop } = opened;
    if (work.isComplete) this.readingAll++;
    return this.reads.run(async (stopped) => {
      try {
        const open = await catalog;
        if (this.closeIfLost(opened, open)) return 'failed';
        const onOwnRead = (files: readonly ReadFile[]): void => {
          this.status.markSessionsChanged();
          onRead(files);
        };
        const outcome = await open.index.read(work, onOwnRead, AbortSignal.any([stopped, stop.signal]));
        if (work.isComplete) this.status.update(COMPLETE);
        else this.reportSoon();
        return outcome;
      } catch (error) {
        if (!stopped.aborted && !stop.signal.aborted) this.failed(error);
        return 'failed';
      } finally {
        if (work.isComplete) this.readingAll--;
      }
    });
  }

  /** Closes the catalog if another window has emptied or replaced the database. Never rejects. */
  async checkOtherWindows(): Promise<void> {
    const { opened } = this;
    if (!opened || this.status.problem) return;
    const catalog = await opened.catalog.catch(() => undefined);
    if (catalog) this.closeIfLost(opened, catalog);
  }

  /** Inspects the disk again, and reads what differs. */
  refreshInBackground(): void {
    const { store, onError } = this.deps;
    void this.reads.run(() =>
      store()
        .refresh()
        .catch((error: unknown) => onError(error, 'looking for changed sessions')),
    );
  }

  /** Stops reading. Keeps everything that was read. Reading continues after `retry`, or in the next window. */
  stop(): void {
    if (!this.reads.isReading) return;
    this.status.isStopped = true;
    this.reads.stop();
    this.status.update();
  }

  /** Continues after `stop`, `clear` or a problem. */
  retry(): void {
    this.status.isStopped = false;
    this.status.isCleared = false;
    if (this.status.problem) void this.close();
    this.status.problem = undefined;
    this.status.update();
  }

  /** Removes everything from the database. It is filled again when it is needed. @throws {SessionError} as `open`. */
  async clear(): Promise<void> {
    this.status.isCleared = true;
    await this.close();
    const { cacheDir } = this.deps;
    try {
      const catalog = await openCatalog({ roots: [], cacheDir, background: false });
      try {
        await catalog.forget();
      } finally {
        await catalog.close();
      }
    } catch (error) {
      throw error instanceof SessionError ? error : catalogError(error, cacheDir);
    } finally {
      this.status.update(COMPLETE);
    }
  }

  /** Resolves when all reading that has begun is done, or after `limit` milliseconds. Never rejects. */
  async settled(limit: number): Promise<void> {
    await settledWithin(this.deps.store().indexed(), limit);
    await this.reads.settled(limit);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.reportTimer);
    void this.close();
    this.status.dispose();
  }

  /** Opens the catalog for the current roots, and again if another window has emptied or replaced the database. @throws {SessionError} as `open`. */
  private async ensureOpen(): Promise<Catalog> {
    if (this.isDisposed) throw new vscode.CancellationError();
    const roots = this.deps.roots();
    const key = JSON.stringify(roots);
    if (this.opened?.key !== key) {
      void this.close();
      this.opened = this.openFor(roots, key);
    }
    const { opened } = this;
    const catalog = await opened.catalog;
    if (this.opened === opened) this.current = catalog;
    return this.closeIfLost(opened, catalog) ? this.ensureOpen() : catalog;
  }

  /** Closes the catalog if another window has emptied or replaced the database. @returns true if it did */
  private closeIfLost(opened: OpenedCatalog, catalog: Catalog): boolean {
    const lost = this.opened === opened ? catalog.externalReset() : undefined;
    if (!lost) return false;
    void this.close();
    this.status.isCleared ||= lost === 'cleared';
    this.status.update(COMPLETE);
    return true;
  }

  private openFor(roots: readonly Root[], key: string): OpenedCatalog {
    const stop = new AbortController();
    const { cacheDir, marksOf, onProblem: onLeftOut } = this.deps;
    const onProgress = (done: number, total: number): void => {
      if (this.readingAll > 0) this.status.update({ done, total });
    };
    // The previous catalog is closed first, so that both don't read the same files.
    const open = (): Promise<Catalog> =>
      openCatalog({
        roots,
        cacheDir,
        store: this.deps.store(),
        marksOf,
        signal: stop.signal,
        background: false,
        onProgress,
        onLeftOut,
      });
    const catalog = this.closing.then(open).catch((error: unknown) => {
      // The reason may be gone at the next try: another window's lock, a full disk.
      if (this.opened?.stop === stop) this.opened = undefined;
      throw error instanceof SessionError ? error : catalogError(error, cacheDir);
    });
    return { key, catalog, stop };
  }

  /** Reports that sessions have changed. Whoever shows sums of all sessions makes them again then. */
  private reportSoon(): void {
    this.reportTimer ??= setTimeout(() => {
      this.reportTimer = undefined;
      if (this.readingAll === 0) this.status.update(COMPLETE);
    }, REPORT_INTERVAL);
  }

  private failed(error: unknown): void {
    if (this.status.problem || this.isDisposed) return;
    this.status.problem = error instanceof SessionError ? error : catalogError(error, this.deps.cacheDir);
    this.deps.onError(error, 'using the catalog');
    this.status.update(COMPLETE);
  }

  /** Never rejects. */
  private close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    this.current = undefined;
    this.status.reset();
    opened?.stop.abort();
    const failed = (error: unknown): void => {
      if (!(error instanceof SessionError)) this.deps.onError(error, 'closing the catalog');
    };
    return (this.closing = this.closing
      .then(() => opened?.catalog)
      .then((catalog) => catalog?.close())
      .catch(failed));
  }
}
