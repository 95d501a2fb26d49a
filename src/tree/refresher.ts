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

export class Refresher implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<ViewRow[] | undefined>();
  readonly event = this.emitter.event;
  private timer: NodeJS.Timeout | undefined;
  /** Before this time none is due again; as `performance.now`. */
  private notBefore = 0;
  /** Ids of rows of which the editor has yet to ask what is below them. */
  private readonly unasked = new Set<string>();
  private asking = 0;
  private waiting: (() => void)[] = [];

  /** `run` makes the rows true and fires what differs. */
  constructor(private readonly run: () => void) {}

  schedule(): void {
    this.timer ??= setTimeout(() => this.now(), Math.max(0, this.notBefore - performance.now()));
  }

  /** Without waiting for further reasons. */
  now(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const began = performance.now();
    this.run();
    const took = performance.now() - began;
    this.notBefore = Math.max(this.notBefore, began + took * SHARE);
    this.check();
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
  asked<T>(row: ViewRow | undefined, work: () => T, isThere: (id: string) => boolean): T {
    this.unasked.delete(row?.id ?? TOP);
    this.asking++;
    const done = (): void => {
      this.asking--;
      for (const id of this.unasked) if (id !== TOP && !isThere(id)) this.unasked.delete(id);
      setImmediate(() => this.check());
    };
    const result = work();
    if (result instanceof Promise) void result.then(done, done);
    else done();
    return result;
  }

  /** Resolves when nothing is left to refresh. */
  settled(): Promise<void> {
    if (this.isSettled()) return Promise.resolve();
    const limit = setTimeout(() => {
      this.unasked.clear();
      this.check();
    }, PATIENCE);
    return new Promise((resolve) => {
      this.waiting.push(() => {
        clearTimeout(limit);
        resolve();
      });
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.unasked.clear();
    this.asking = 0;
    this.check();
    this.emitter.dispose();
  }

  private isSettled(): boolean {
    return this.timer === undefined && this.unasked.size === 0 && this.asking === 0;
  }

  private check(): void {
    if (!this.isSettled()) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
