/** Many reasons to look again become few refreshes, and it is known when the editor has asked for all of them. */
import * as vscode from 'vscode';
import type { ViewRow } from './rows';

/** Milliseconds in which reasons are gathered. */
const GATHER = 75;
/** Milliseconds after which a row that the editor does not ask for is taken to be out of sight. */
const PATIENCE = 1500;

const TOP = Symbol('the top level');

export class Refresher implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<ViewRow[] | undefined>();
  readonly event = this.emitter.event;
  private timer: NodeJS.Timeout | undefined;
  private readonly unasked = new Set<string | typeof TOP>();
  private asking = 0;
  private waiting: (() => void)[] = [];

  /** `run` makes the rows true and fires what differs. */
  constructor(private readonly run: () => void) {}

  schedule(): void {
    this.timer ??= setTimeout(() => this.now(), GATHER);
  }

  /** Without waiting for further reasons. */
  now(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.run();
    this.check();
  }

  /** Tells the editor which rows, with what is below them, are not true any more; `undefined` is the top level. */
  fire(rows: readonly (ViewRow | undefined)[]): void {
    if (rows.length === 0) return;
    const all = rows.includes(undefined);
    const some = rows.filter((row) => row !== undefined);
    for (const key of all ? [TOP] : some.map((row) => row.id)) this.unasked.add(key as string | typeof TOP);
    this.emitter.fire(all ? undefined : some);
  }

  /** The editor asks for a row, or with `work` for what is below it. */
  asked<T>(row: ViewRow | undefined, work: () => T): T {
    this.unasked.delete(row?.id ?? TOP);
    this.asking++;
    const done = (): void => {
      this.asking--;
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
