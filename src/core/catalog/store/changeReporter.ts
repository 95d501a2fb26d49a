/** Gathers changes into few reports. */

/** Paths of files whose rows are outdated. Sets, because what few sessions are open or shown for needn't walk thousands. */
export interface StoreChange {
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** Milliseconds between two reports, by default. */
const REPORT_INTERVAL_MS = 150;

export class ChangeReporter {
  private changed = new Set<string>();
  private removed = new Set<string>();
  private last = performance.now();

  /** @param interval milliseconds between two reports of a long operation; `Infinity` for one report at its end */
  constructor(
    private readonly onChange: (change: StoreChange) => void,
    private readonly interval = REPORT_INTERVAL_MS,
  ) {}

  /** Adds a change to the next report, which comes with `flush` at the latest. */
  add(path: string, what: 'changed' | 'removed'): void {
    const [to, from] = what === 'changed' ? [this.changed, this.removed] : [this.removed, this.changed];
    to.add(path);
    from.delete(path);
    if (performance.now() - this.last > this.interval) this.flush();
  }

  flush(): void {
    this.last = performance.now();
    const { changed, removed } = this;
    if (changed.size + removed.size === 0) return;
    this.changed = new Set();
    this.removed = new Set();
    this.onChange({ changed, removed });
  }
}
