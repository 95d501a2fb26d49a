/** Slow work takes at most one part in so many of the time, as far as the longest pause allows. */
const LOAD_DIVISOR = 50;

/**
 * Does a piece of work again and again, `pause` milliseconds after it last ended, and never twice at once.
 * Work that is slow time after time makes the pauses longer, up to `longest`, so that it takes little of the time.
 * Once is no reason: it may have had much to do.
 */
export class AdaptiveInterval {
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;
  /** Milliseconds that it took last time. */
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
