/** Gathers changed files, so that files which grow in many steps are indexed in fewer. */

/**
 * Milliseconds after the first change. Indexing takes a processor, which the editor needs first: it's drawing the rows of
 * the change.
 */
const BATCH_DELAY = 250;
/** The least time between two reports in milliseconds. */
const BATCH_INTERVAL = 400;

export class ChangeBatch {
  private readonly paths = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  /** The time before which no report is due, as of `performance.now`. */
  private notBefore = 0;

  /** @param flushed called with the gathered paths, at least one */
  constructor(private readonly flushed: (paths: string[]) => void) {}

  add(paths: readonly string[]): void {
    for (const path of paths) this.paths.add(path);
    this.timer ??= setTimeout(() => this.flush(), Math.max(BATCH_DELAY, this.notBefore - performance.now()));
  }

  /** Reports the paths gathered so far. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.notBefore = performance.now() + BATCH_INTERVAL;
    const paths = [...this.paths];
    this.paths.clear();
    if (paths.length > 0) this.flushed(paths);
  }

  clear(): void {
    this.paths.clear();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
