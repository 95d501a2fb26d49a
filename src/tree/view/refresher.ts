/** Combines many reasons for a refresh into few refreshes, and reports when the editor has requested all rows. */
import * as vscode from 'vscode';
import type { ViewRow } from '../rows/viewRows';

/**
 * The least time between refreshes in milliseconds. The first reason takes effect immediately. The editor does the
 * same, and delays events that come within 200 ms of it until there were none for that long.
 */
const MIN_REFRESH_INTERVAL = 210;
/** Refreshes take at most this fraction of the time: one part in five. */
const LOAD_DIVISOR = 5;
/** The time in milliseconds after which a row that the editor hasn't requested is assumed to be out of sight. */
const REQUEST_TIMEOUT = 1500;

/** Stands for the top level's id. */
const TOP_LEVEL = '';

interface RefresherDeps {
  /** Resolves when everything is loaded that `run` needs. */
  readonly markLoaded: () => Promise<void>;
  /** Updates the rows, and fires the rows that differ. */
  readonly run: () => void;
  readonly onError: (error: unknown, doing: string) => void;
}

export class Refresher implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<ViewRow[] | undefined>();
  readonly event = this.emitter.event;
  private timer: NodeJS.Timeout | undefined;
  /** The time before which no refresh is due, as of `performance.now`. */
  private notBefore = 0;
  /** The ids of the rows whose children the editor has yet to request. */
  private readonly awaitedRequests = new Set<string>();
  private activeRequests = 0;
  private running = 0;
  private work: Promise<void> = Promise.resolve();
  /** True if a reason came after the running refresh began. */
  private isRerunDue = false;
  private isDisposed = false;
  private settledWaiters: (() => void)[] = [];

  constructor(private readonly deps: RefresherDeps) {}

  schedule(): void {
    if (this.running > 0) this.isRerunDue = true;
    else this.timer ??= setTimeout(() => this.refreshNow(), Math.max(0, this.notBefore - performance.now()));
  }

  /** Refreshes without waiting for further reasons. */
  refreshNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running++;
    this.isRerunDue = false;
    this.work = this.work.then(() => this.run());
  }

  /**
   * Tells the editor which rows are out of date, with all rows below them; `undefined` is the top level.
   *
   * @param open the ids of the rows whose children the editor will request again
   */
  fire(rows: readonly (ViewRow | undefined)[], open: readonly string[]): void {
    if (rows.length === 0) return;
    this.notBefore = performance.now() + MIN_REFRESH_INTERVAL;
    const isTop = rows.includes(undefined);
    if (isTop) this.awaitedRequests.add(TOP_LEVEL);
    for (const id of open) this.awaitedRequests.add(id);
    this.emitter.fire(isTop ? undefined : rows.filter((row) => row !== undefined));
  }

  /** Wraps the editor's request for a row's children. @param isThere true if a row with this id still exists after the request */
  async trackRequest<T>(row: ViewRow | undefined, work: () => Promise<T>, isThere: (id: string) => boolean): Promise<T> {
    this.awaitedRequests.delete(row?.id ?? TOP_LEVEL);
    this.activeRequests++;
    try {
      return await work();
    } finally {
      this.activeRequests--;
      for (const id of this.awaitedRequests) if (id !== TOP_LEVEL && !isThere(id)) this.awaitedRequests.delete(id);
      setImmediate(() => this.notifyIfSettled());
    }
  }

  /** Resolves when nothing is left to refresh. */
  settled(): Promise<void> {
    if (this.isSettled()) return Promise.resolve();
    const limit = setInterval(() => {
      this.awaitedRequests.clear();
      this.notifyIfSettled();
    }, REQUEST_TIMEOUT);
    return new Promise((resolve) => {
      this.settledWaiters.push(() => {
        clearInterval(limit);
        resolve();
      });
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isDisposed = true;
    this.awaitedRequests.clear();
    this.activeRequests = 0;
    this.notifyIfSettled();
    this.emitter.dispose();
  }

  private async run(): Promise<void> {
    try {
      await this.deps.markLoaded();
      if (this.isDisposed) return;
      const began = performance.now();
      this.deps.run();
      const took = performance.now() - began;
      this.notBefore = Math.max(this.notBefore, began + took * LOAD_DIVISOR);
    } catch (error) {
      this.deps.onError(error, 'refreshing the tree');
    } finally {
      this.running--;
      if (this.running === 0 && this.isRerunDue && !this.isDisposed) {
        this.isRerunDue = false;
        this.schedule();
      }
      this.notifyIfSettled();
    }
  }

  private isSettled(): boolean {
    return (
      this.isDisposed || (this.timer === undefined && this.running === 0 && this.awaitedRequests.size === 0 && this.activeRequests === 0)
    );
  }

  private notifyIfSettled(): void {
    if (!this.isSettled()) return;
    const waiting = this.settledWaiters;
    this.settledWaiters = [];
    for (const resolve of waiting) resolve();
  }
}
