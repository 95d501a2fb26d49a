/** Slow work takes at most this fraction of the time (1/50), as far as the longest pause allows. */
const LOAD_DIVISOR = 50;

/**
 * Repeats work with pauses in between, so that it never runs twice at once. If the work is slow twice in a row the pauses
 * grow, up to `maxDelay`, so that it takes little of the time. Being slow once doesn't count: there may have been much to do.
 *
 * Delays are in milliseconds. The work must not reject.
 */
export class AdaptiveInterval {
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;
  /** Milliseconds. */
  private previousDuration = 0;

  constructor(
    private readonly minDelay: number,
    private readonly maxDelay: number,
    private readonly work: () => Promise<void>,
  ) {
    this.scheduleNext(minDelay);
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }

  private scheduleNext(pause: number): void {
    if (this.disposed) return;
    this.timer = setTimeout(() => void this.run(), pause);
  }

  private async run(): Promise<void> {
    const start = performance.now();
    await this.work();
    const took = performance.now() - start;
    this.scheduleNext(Math.min(this.maxDelay, Math.max(this.minDelay, Math.min(took, this.previousDuration) * LOAD_DIVISOR)));
    this.previousDuration = took;
  }
}
