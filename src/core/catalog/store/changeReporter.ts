/** Gathers changes into few reports. */

/** Paths of files whose rows are outdated. */
export interface StoreChange {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Milliseconds between two reports, by default. */
const REPORT_INTERVAL_MS = 150;

export class ChangeReporter {
  private readonly paths = new Map<string, 'changed' | 'removed'>();
  private last = performance.now();

  /** @param interval milliseconds between two reports of a long operation; `Infinity` for one report at its end */
  constructor(
    private readonly onChange: (change: StoreChange) => void,
    private readonly interval = REPORT_INTERVAL_MS,
  ) {}

  /** Adds a change to the next report, which comes with `flush` at the latest. */
  add(path: string, what: 'changed' | 'removed'): void {
    this.paths.set(path, what);
    if (performance.now() - this.last > this.interval) this.flush();
  }

  flush(): void {
    this.last = performance.now();
    if (this.paths.size === 0) return;
    const of = (what: 'changed' | 'removed'): string[] => [...this.paths].flatMap(([path, was]) => (was === what ? [path] : []));
    const change = { changed: of('changed'), removed: of('removed') };
    this.paths.clear();
    this.onChange(change);
  }
}
