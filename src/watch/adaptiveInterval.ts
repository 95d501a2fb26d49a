import type { IdleTime } from './idleTime';

/** Slow work takes at most this fraction of the time (1/50), as far as the longest pause allows. */
const LOAD_DIVISOR = 50;

/** Pauses in idle time take this many times the shortest one, or longer. */
const IDLE_FACTOR = 10;

/**
 * Repeats work with pauses in between, so that it never runs twice at the same time. If the work is slow twice in a row the
 * pauses grow, up to `maxDelay`, so that it takes little of the time. Being slow once doesn't count: there may have been much
 * to do. Pauses are longer in idle time, and the last of them ends soon after it.
 *
 * Delays are in milliseconds. The work must not reject.
 */
export class AdaptiveInterval {
  private readonly idleEnd: { dispose(): void } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;
  /** Milliseconds. */
  private previousDuration = 0;

  constructor(
    private readonly minDelay: number,
    private readonly maxDelay: number,
    private readonly work: () => Promise<void>,
    private readonly idle?: Pick<IdleTime, 'isIdle' | 'onDidEnd'>,
  ) {
    this.idleEnd = idle?.onDidEnd(() => {
      if (this.timer !== undefined) this.scheduleNext(minDelay);
    });
    this.scheduleNext(minDelay);
  }

  dispose(): void {
    this.disposed = true;
    this.idleEnd?.dispose();
    clearTimeout(this.timer);
  }

  private scheduleNext(pause: number): void {
    if (this.disposed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), pause);
  }

  private async run(): Promise<void> {
    this.timer = undefined;
    const start = performance.now();
    await this.work();
    const took = performance.now() - start;
    const delay = Math.min(this.maxDelay, Math.max(this.minDelay, Math.min(took, this.previousDuration) * LOAD_DIVISOR));
    this.scheduleNext(this.idle?.isIdle() ? Math.max(delay, this.minDelay * IDLE_FACTOR) : delay);
    this.previousDuration = took;
  }
}
