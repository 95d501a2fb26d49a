/** Many reasons to look again become few refreshes, and it is known when the editor has asked for all of them. */
import * as vscode from 'vscode';
import type { ViewRow } from './rows';

/**
 * Milliseconds from one refresh to the next. The first of many reasons is acted on at once. The editor does so, too, and
 * holds back what comes within 200 ms of it until there is quiet for so long.
 */
const GATHER = 210;
/** A refresh takes at most one part in so many of the time. */
const SHARE = 5;
/** Milliseconds after which a row that the editor does not ask for is taken to be out of sight. */
const PATIENCE = 1500;

/** Stands for the top level. */
const TOP = '';

export interface RefresherDeps {
  /** Resolves when all that `run` needs is there; others have their turn meanwhile. */
  readonly ready: () => Promise<void>;
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
  private readonly unasked = new Set<string>();
  private asking = 0;
  private running = 0;
  private work: Promise<void> = Promise.resolve();
  /** There is a reason that came after a refresh began. */
  private again = false;
  private isDisposed = false;
  private waiting: (() => void)[] = [];

  constructor(private readonly deps: RefresherDeps) {}

  schedule(): void {
    if (this.running > 0) this.again = true;
    else this.timer ??= setTimeout(() => this.now(), Math.max(0, this.notBefore - performance.now()));
  }

  /** Without waiting for further reasons. */
  now(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running++;
    this.again = false;
    this.work = this.work.then(() => this.run());
  }

  /**
   * Tells the editor which rows, with what is below them, are not true any more; `undefined` is the top level.
   * `open`: ids of the rows of which it will ask anew what is below them.
   */
  fire(rows: readonly (ViewRow | undefined)[], open: readonly string[]): void {
    if (rows.length === 0) return;
    this.notBefore = performance.now() + GATHER;
    const isTop = rows.includes(undefined);
    if (isTop) this.unasked.add(TOP);
    for (const id of open) this.unasked.add(id);
    this.emitter.fire(isTop ? undefined : rows.filter((row) => row !== undefined));
  }

  /** The editor asks what is below a row. `isThere`: whether there still is such a row, after the answer. */
  async asked<T>(row: ViewRow | undefined, work: () => Promise<T>, isThere: (id: string) => boolean): Promise<T> {
    this.unasked.delete(row?.id ?? TOP);
    this.asking++;
    try {
      return await work();
    } finally {
      this.asking--;
      for (const id of this.unasked) if (id !== TOP && !isThere(id)) this.unasked.delete(id);
      setImmediate(() => this.check());
    }
  }

  /** Resolves when nothing is left to refresh. */
  settled(): Promise<void> {
    if (this.isSettled()) return Promise.resolve();
    const limit = setInterval(() => {
      this.unasked.clear();
      this.check();
    }, PATIENCE);
    return new Promise((resolve) => {
      this.waiting.push(() => {
        clearInterval(limit);
        resolve();
      });
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isDisposed = true;
    this.unasked.clear();
    this.asking = 0;
    this.check();
    this.emitter.dispose();
  }

  private async run(): Promise<void> {
    try {
      await this.deps.ready();
      if (this.isDisposed) return;
      const began = performance.now();
      this.deps.run();
      const took = performance.now() - began;
      this.notBefore = Math.max(this.notBefore, began + took * SHARE);
    } catch (error) {
      this.deps.onError(error, 'refreshing the tree');
    } finally {
      this.running--;
      if (this.running === 0 && this.again && !this.isDisposed) {
        this.again = false;
        this.schedule();
      }
      this.check();
    }
  }

  private isSettled(): boolean {
    return this.isDisposed || (this.timer === undefined && this.running === 0 && this.unasked.size === 0 && this.asking === 0);
  }

  private check(): void {
    if (!this.isSettled()) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
