/**
 * The editor's catalog: opened when it is first needed, reopened when the roots change, updated when the store refreshes
 * everything, and stopped by the user. If it can't be used, the reason is reported once and the store reads by itself.
 */
import * as vscode from 'vscode';
import {
  errorFromProblem,
  openCatalog,
  SessionError,
  type Catalog,
  type CatalogSource,
  type DiskInventory,
  type RefreshResult,
  type Root,
} from '../core/index';
import { COMPLETE, catalogError, type CatalogProgress } from './catalogProgress';

export interface LazyCatalogDeps {
  /** Folder of the database, for its owner alone. */
  readonly cacheDir: string;
  readonly roots: () => readonly Root[];
  /** The store's view of the disk, which the catalog shares. */
  readonly disk: () => DiskInventory;
  /** Called with files whose rows have changed. */
  readonly onRows: (paths: readonly string[]) => void;
  /** Called with a folder that can't be listed. */
  readonly onProblem: (path: string, error: unknown) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

interface OpenedCatalog {
  /** Identifies the roots that it was opened for. */
  readonly key: string;
  readonly catalog: Promise<Catalog>;
  readonly stop: AbortController;
}

/** Milliseconds in which changes are gathered before they are indexed. Rows don't wait for it. */
const BATCH_DELAY = 400;

export class LazyCatalog implements CatalogSource, vscode.Disposable {
  private opened: OpenedCatalog | undefined;
  /** The reason why the store reads by itself, until `retry`. */
  private problem: SessionError | undefined;
  private isStopped = false;
  /** True if the store reads by itself until the catalog is needed again. */
  private isCleared = false;
  private readonly activeReads = new Set<AbortController>();
  private readonly changedPaths = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private lastRead: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> = Promise.resolve();
  private state = COMPLETE;
  private isDisposed = false;
  private readonly emitter = new vscode.EventEmitter<CatalogProgress>();
  /** Fires when more is known, and when reading starts or ends. */
  readonly onDidChange = this.emitter.event;
  private haveSessionsChanged = false;
  private readonly sessionsEmitter = new vscode.EventEmitter<void>();
  /** Fires when the catalog has read sessions that differ, and when it lost all of them. Not while it reads. */
  readonly onDidChangeSessions = this.sessionsEmitter.event;

  constructor(private readonly deps: LazyCatalogDeps) {}

  progress(): CatalogProgress {
    return {
      ...this.state,
      ...(this.isStopped ? { isStopped: true } : {}),
      ...(this.isCleared ? { isCleared: true } : {}),
      ...(this.problem ? { problem: this.problem } : {}),
    };
  }

  /**
   * Opens the catalog if necessary. Missing files are read when the store refreshes everything.
   *
   * @throws {SessionError} if there can be no catalog; the next call tries again.
   */
  async open(): Promise<Catalog> {
    const catalog = await this.ensureOpen();
    if (this.isCleared) {
      this.isCleared = false;
      void this.update();
    }
    return catalog;
  }

  async catalog(): Promise<Catalog | undefined> {
    if (this.problem || this.isDisposed || this.isCleared) return undefined;
    try {
      const catalog = await this.ensureOpen();
      // Another window may have cleared it meanwhile.
      return this.progress().isCleared ? undefined : catalog;
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  async update(paths?: readonly string[], signal?: AbortSignal): Promise<boolean> {
    return this.read((catalog, either) => catalog.update(paths, { signal: either }), signal);
  }

  /** Closes the catalog if another window has emptied or replaced the database. Never rejects. */
  async checkOtherWindows(): Promise<void> {
    const { opened } = this;
    if (!opened || this.problem) return;
    const catalog = await opened.catalog.catch(() => undefined);
    if (catalog) this.closeIfLost(opened, catalog);
  }

  markChanged(paths: readonly string[]): void {
    for (const path of paths) this.changedPaths.add(path);
    this.timer ??= setTimeout(() => this.flushChanges(), BATCH_DELAY);
  }

  /** Inspects the disk again, and reads what differs. */
  refreshInBackground(): void {
    void this.read((catalog, signal) => catalog.refresh(undefined, { signal }));
  }

  /** Stops reading. What was read is kept, and reading continues after `retry`, or in the next window. */
  stop(): void {
    if (this.activeReads.size === 0) return;
    this.isStopped = true;
    for (const stop of this.activeReads) stop.abort();
    this.setProgress(this.state);
  }

  /** Continues after `stop`, `clear` or a problem. */
  retry(): void {
    this.isStopped = false;
    this.isCleared = false;
    if (this.problem) void this.close();
    this.problem = undefined;
    this.setProgress(this.state);
  }

  /** Removes everything from the database. It is filled again when it is needed. @throws {SessionError} as `open`. */
  async clear(): Promise<void> {
    this.isCleared = true;
    this.changedPaths.clear();
    await this.close();
    const { cacheDir } = this.deps;
    try {
      const catalog = await openCatalog({ roots: [], cacheDir, background: false });
      await catalog.forget().finally(() => catalog.close());
    } catch (error) {
      throw error instanceof SessionError ? error : catalogError(error, cacheDir);
    } finally {
      this.setProgress(COMPLETE);
    }
  }

  /** Resolves when all reading that has begun is done, or after `limit` milliseconds. Never rejects. */
  async settled(limit: number): Promise<void> {
    this.flushChanges();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, limit)));
    await Promise.race([this.lastRead, timeout]);
    clearTimeout(timer);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    void this.close();
    this.emitter.dispose();
    this.sessionsEmitter.dispose();
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
    return this.closeIfLost(opened, catalog) ? this.ensureOpen() : catalog;
  }

  /** Closes the catalog if another window has emptied or replaced the database. @returns true if it did */
  private closeIfLost(opened: OpenedCatalog, catalog: Catalog): boolean {
    const lost = this.opened === opened ? catalog.externalReset() : undefined;
    if (!lost) return false;
    void this.close();
    this.isCleared ||= lost === 'cleared';
    this.setProgress(COMPLETE);
    return true;
  }

  private openFor(roots: readonly Root[], key: string): OpenedCatalog {
    const stop = new AbortController();
    const { cacheDir, onRows } = this.deps;
    const onProgress = (done: number, total: number): void => this.setProgress({ done, total });
    const onOwnRows = (paths: readonly string[]): void => {
      if (this.opened?.stop !== stop) return;
      this.haveSessionsChanged = true;
      onRows(paths);
    };
    // Two open databases in one process would remove each other's locks (`SealedFile`).
    const open = (): Promise<Catalog> =>
      openCatalog({ roots, cacheDir, disk: this.deps.disk(), signal: stop.signal, background: false, onProgress, onRows: onOwnRows });
    const catalog = this.closing.then(open).catch((error: unknown) => {
      // The reason may be gone at the next try: another window's lock, a full disk.
      if (this.opened?.stop === stop) this.opened = undefined;
      throw error instanceof SessionError ? error : catalogError(error, cacheDir);
    });
    return { key, catalog, stop };
  }

  private flushChanges(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const paths = [...this.changedPaths];
    this.changedPaths.clear();
    if (paths.length > 0) void this.read((catalog, signal) => catalog.update(paths, { signal }), undefined, true);
  }

  /** @returns false without having read everything, if there is no catalog, if it breaks or was stopped, or when `signal` is aborted. */
  private async read(
    refresh: (catalog: Catalog, signal: AbortSignal) => Promise<RefreshResult>,
    signal?: AbortSignal,
    evenIfStopped = false,
  ): Promise<boolean> {
    const { opened } = this;
    if (!opened || this.problem || this.isCleared || (this.isStopped && !evenIfStopped)) return false;
    const { catalog, stop } = opened;
    const stopRead = new AbortController();
    this.activeReads.add(stopRead);
    const work = (async () => {
      try {
        const open = await catalog;
        if (this.closeIfLost(opened, open)) return false;
        const { problems } = await refresh(open, signal ? AbortSignal.any([stopRead.signal, signal]) : stopRead.signal);
        if (stop.signal.aborted) return false;
        for (const problem of problems) if (!open.files().has(problem.path)) this.deps.onProblem(problem.path, errorFromProblem(problem));
        this.setProgress(COMPLETE);
        return true;
      } catch (error) {
        if (!stopRead.signal.aborted && !signal?.aborted && !stop.signal.aborted) this.failed(error);
        return false;
      } finally {
        this.activeReads.delete(stopRead);
      }
    })();
    const before = this.lastRead;
    this.lastRead = work.then(() => before);
    return work;
  }

  private failed(error: unknown): void {
    if (this.problem || this.isDisposed) return;
    this.problem = error instanceof SessionError ? error : catalogError(error, this.deps.cacheDir);
    this.deps.onError(error, 'using the catalog');
    this.setProgress(COMPLETE);
  }

  private setProgress(state: CatalogProgress): void {
    this.state = state;
    if (this.isDisposed) return;
    this.emitter.fire(this.progress());
    if (!this.haveSessionsChanged || state !== COMPLETE) return;
    this.haveSessionsChanged = false;
    this.sessionsEmitter.fire();
  }

  /** Never rejects. */
  private close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    this.state = COMPLETE;
    this.haveSessionsChanged = true;
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
