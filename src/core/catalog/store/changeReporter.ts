/** Gathers changes into few reports. */

/** Paths of files whose rows are outdated. Sets, because what few sessions are open or shown for needn't walk thousands. */
export interface StoreChange {
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** Milliseconds between two reports, by default. */
const REPORT_INTERVAL_MS = 150;

export class ChangeReporter {
  /** All paths that were reported. */
  readonly reported = new Set<string>();
  private changed = new Set<string>();
  private removed = new Set<string>();
  private last = performance.now();
  /** Runs while changes wait: the next one may come only after a large file was read. */
  private timer: NodeJS.Timeout | undefined;

  /** @param interval milliseconds between two reports of a long operation; `Infinity` for one report at its end */
  constructor(
    private readonly onChange: (change: StoreChange) => void,
    private readonly interval = REPORT_INTERVAL_MS,
  ) {}

  /** Adds a change to the next report, which comes after the interval, or with `flush` if that's before. */
  add(path: string, what: 'changed' | 'removed'): void {
    const [to, from] = what === 'changed' ? [this.changed, this.removed] : [this.removed, this.changed];
    to.add(path);
    from.delete(path);
    this.reported.add(path);
    const rest = this.last + this.interval - performance.now();
    if (rest <= 0) this.flush();
    else if (Number.isFinite(rest)) this.timer ??= setTimeout(() => this.flush(), rest).unref();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = performance.now();
    const { changed, removed } = this;
    if (changed.size + removed.size === 0) return;
    this.changed = new Set();
    this.removed = new Set();
    this.onChange({ changed, removed });
  }
}
