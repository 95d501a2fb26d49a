/** Gathers changed files for a moment, so that files which grow in many steps are indexed in fewer. */

/** Milliseconds in which changes are gathered. Rows don't wait for it. */
const BATCH_DELAY = 400;

export class ChangeBatch {
  private readonly paths = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  /** @param flushed called with the gathered paths, at least one */
  constructor(private readonly flushed: (paths: string[]) => void) {}

  add(paths: readonly string[]): void {
    for (const path of paths) this.paths.add(path);
    this.timer ??= setTimeout(() => this.flush(), BATCH_DELAY);
  }

  /** Reports what was gathered so far. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
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
