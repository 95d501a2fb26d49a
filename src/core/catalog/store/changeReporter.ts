/** Many changes as few reports. */

/** Paths of files whose rows are no longer true. */
export interface StoreChange {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Milliseconds between two reports of one long piece of work. */
const REPORT_INTERVAL_MS = 150;

export class ChangeReporter {
  private readonly paths = new Map<string, 'changed' | 'removed'>();
  private last = performance.now();

  constructor(private readonly onChange: (change: StoreChange) => void) {}

  /** Told of with others, at the latest by `flush`. */
  add(path: string, what: 'changed' | 'removed'): void {
    this.paths.set(path, what);
    if (performance.now() - this.last > REPORT_INTERVAL_MS) this.flush();
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
