/** Many reasons to look again become few refreshes, and it is known when the editor has asked for all of them. */
import * as vscode from 'vscode';
import type { ViewRow } from '../rows/viewRows';

/**
 * Milliseconds from one refresh to the next. The first of many reasons is acted on at once. The editor does so, too, and
 * holds back what comes within 200 ms of it until there is quiet for so long.
 */
const MIN_REFRESH_INTERVAL = 210;
/** A refresh takes at most one part in so many of the time. */
const LOAD_DIVISOR = 5;
/** Milliseconds after which a row that the editor does not ask for is taken to be out of sight. */
const REQUEST_TIMEOUT = 1500;

/** Stands for the top level. */
const TOP_LEVEL = '';

export interface RefresherDeps {
  /** Resolves when all that `run` needs is there; others have their turn meanwhile. */
  readonly markLoaded: () => Promise<void>;
  /** Makes the rows true and fires what differs. */
  readonly run: () => void;
  readonly onError: (error: unknown, doing: string) => void;
}

export class Refresher implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<ViewRow[] | undefined>();
  readonly event = this.emitter.event;
  private timer: NodeJS.Timeout | undefined;
  /** Before this time none is due again; as `performance.now`. */
  private notBefore = 0;
  /** Ids of rows of which the editor has yet to ask what is below them. */
  private readonly awaitedRequests = new Set<string>();
  private activeRequests = 0;
  private running = 0;
  private work: Promise<void> = Promise.resolve();
  /** There is a reason that came after a refresh began. */
  private isRerunDue = false;
  private isDisposed = false;
  private settledWaiters: (() => void)[] = [];

  constructor(private readonly deps: RefresherDeps) {}

  schedule(): void {
    if (this.running > 0) this.isRerunDue = true;
    else this.timer ??= setTimeout(() => this.refreshNow(), Math.max(0, this.notBefore - performance.now()));
  }

  /** Without waiting for further reasons. */
  refreshNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running++;
    this.isRerunDue = false;
    this.work = this.work.then(() => this.run());
  }

  /**
   * Tells the editor which rows, with what is below them, are not true any more; `undefined` is the top level.
   * `open`: ids of the rows of which it will ask anew what is below them.
   */
  fire(rows: readonly (ViewRow | undefined)[], open: readonly string[]): void {
    if (rows.length === 0) return;
    this.notBefore = performance.now() + MIN_REFRESH_INTERVAL;
    const isTop = rows.includes(undefined);
    if (isTop) this.awaitedRequests.add(TOP_LEVEL);
    for (const id of open) this.awaitedRequests.add(id);
    this.emitter.fire(isTop ? undefined : rows.filter((row) => row !== undefined));
  }

  /** The editor asks what is below a row. `isThere`: whether there still is such a row, after the answer. */
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
    return this.isDisposed || (this.timer === undefined && this.running === 0 && this.awaitedRequests.size === 0 && this.activeRequests === 0);
  }

  private notifyIfSettled(): void {
    if (!this.isSettled()) return;
    const waiting = this.settledWaiters;
    this.settledWaiters = [];
    for (const resolve of waiting) resolve();
  }
}
