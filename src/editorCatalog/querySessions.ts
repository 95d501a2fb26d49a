/** The sessions that a query finds, for the list that is limited to it. Kept current: sessions that change are searched again. */
import type { Catalog } from '../core/index';

interface QuerySessionsDeps {
  readonly open: () => Promise<Catalog>;
  /** Returns the sessions that are known to run: all, or those among the given ones. */
  readonly running: (paths: ReadonlySet<string> | undefined) => ReadonlySet<string>;
  /** Called when `filter` has changed by itself. */
  readonly onChange: () => void;
  readonly onError: (error: unknown, doing: string) => void;
  /** Milliseconds of a clock, by default `performance.now`. */
  readonly now?: () => number;
}

/** With more changed sessions than this, all are searched. */
const MAX_CHANGED = 100;
/** The time between two searches, as a multiple of the time that one takes, and in milliseconds at most. */
const [PAUSE, MAX_PAUSE] = [10, 5000];

const today = (): string => new Date().toDateString();

export class QuerySessions {
  private query = '';
  /** `undefined` until the query was searched once. */
  private found: Set<string> | undefined;
  private hasFailed = false;
  private changed = new Set<string>();
  /** True if all sessions have to be searched. */
  private isAllChanged = false;
  /** The day of the last search of all sessions: queries may have dates such as `after:monday`. */
  private day = '';
  private stop = new AbortController();
  private work: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  private readonly now: () => number;

  constructor(private readonly deps: QuerySessionsDeps) {
    this.now = deps.now ?? (() => performance.now());
  }

  /** Searches for a query, empty for none. Resolves when its sessions are known. Never rejects. */
  async set(query: string): Promise<void> {
    if (query === this.query) return this.work;
    this.stop.abort();
    this.stop = new AbortController();
    clearTimeout(this.timer);
    this.query = query;
    this.found = undefined;
    this.hasFailed = false;
    this.isAllChanged = true;
    this.work = undefined;
    await this.update();
  }

  /** Returns whether a session is found; no session is until the first search has ended. `undefined` without a query, and if searching failed. */
  filter(): ((path: string) => boolean) | undefined {
    if (this.query === '' || this.hasFailed) return undefined;
    return (path) => this.found?.has(path) === true;
  }

  /** Called when sessions have changed or are gone, before the catalog has their texts. */
  sessionsChanged(paths: Iterable<string>): void {
    if (this.query === '' || this.isAllChanged) return;
    for (const path of paths) this.changed.add(path);
    this.isAllChanged = this.changed.size > MAX_CHANGED;
  }

  /** Searches sessions again whose state, tags or pin have changed; by default all. */
  refresh(paths?: Iterable<string>): void {
    if (paths) this.sessionsChanged(paths);
    else this.isAllChanged = true;
    void this.update();
  }

  /** Called when the catalog has read more. */
  catalogChanged(): void {
    this.isAllChanged ||= this.query !== '' && (this.hasFailed || this.day !== today());
    void this.update();
  }

  private async update(): Promise<void> {
    if (this.query === '' || this.work || !(this.isAllChanged || this.changed.size > 0)) return;
    const { signal } = this.stop;
    const began = this.now();
    const work = this.search(signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        // The list is better whole than empty, and the next change of the catalog tries again.
        this.hasFailed = true;
        this.deps.onError(error, 'searching the sessions of the list');
        this.deps.onChange();
      })
      .finally(() => {
        if (signal.aborted) return;
        const pause = Math.min(MAX_PAUSE, PAUSE * (this.now() - began));
        this.timer = setTimeout(() => {
          this.work = undefined;
          void this.update();
        }, pause);
      });
    this.work = work;
    await work;
  }

  private async search(signal: AbortSignal): Promise<void> {
    const { query } = this;
    const changed = this.isAllChanged ? undefined : this.changed;
    this.changed = new Set();
    this.isAllChanged = false;
    this.day = today();
    const catalog = await this.deps.open();
    const options = { running: this.deps.running(changed), signal };
    const found = await catalog.sessionsMatching(query, changed ? { ...options, paths: changed } : options);
    if (signal.aborted) return;
    const wasUnlimited = this.hasFailed;
    this.hasFailed = false;
    if (this.replace(changed, found) || wasUnlimited) this.deps.onChange();
  }

  /** Takes the found ones of the changed sessions, or of all. @returns true if others are found than before */
  private replace(changed: ReadonlySet<string> | undefined, found: readonly string[]): boolean {
    const before = this.found;
    if (!changed || !before) {
      this.found = new Set(found);
      return !before || before.size !== this.found.size || found.some((path) => !before.has(path));
    }
    const now = new Set(found);
    let isOther = false;
    for (const path of changed) {
      if (now.has(path) === before.has(path)) continue;
      isOther = true;
      if (now.has(path)) before.add(path);
      else before.delete(path);
    }
    return isOther;
  }
}
