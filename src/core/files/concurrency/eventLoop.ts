/** Cooperative yielding for long work on the calling thread, with cancellation at each yield. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work between two yields. */
const SLICE = 5;

/** Shared per thread, like the event loop itself. */
let lastYield: Promise<void> = Promise.resolve();

/**
 * Yields to the event loop; resumes one waiter per tick, first in, first out. If all waiters resumed in the same tick,
 * the slices of several long tasks would add up to one long block.
 */
export function yieldToEventLoop(): Promise<void> {
  return (lastYield = lastYield.then(() => nextTurn()));
}

/** Yields to the event loop at intervals of five milliseconds during one long task. */
export class Yielder {
  private last = performance.now();

  /** @param signal aborts the task at its next yield. */
  constructor(private readonly signal: AbortSignal | undefined) {}

  /** True if five milliseconds have passed since the last yield. */
  isDue(): boolean {
    return performance.now() - this.last >= SLICE;
  }

  /**
   * Yields if {@link isDue}.
   *
   * @throws the signal's reason if it was aborted.
   */
  async yieldIfDue(): Promise<void> {
    if (!this.isDue()) return;
    await yieldToEventLoop();
    this.signal?.throwIfAborted();
    this.last = performance.now();
  }
}
