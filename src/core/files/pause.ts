/** Long work on the calling thread: others get their turn now and then, and it can be ended there. */
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds after which others get their turn. */
const SLICE = 10;

export class Pause {
  private last = performance.now();

  constructor(private readonly signal: AbortSignal | undefined) {}

  /** @throws the signal's reason when it was aborted. */
  async here(): Promise<void> {
    if (performance.now() - this.last < SLICE) return;
    await turn();
    this.signal?.throwIfAborted();
    this.last = performance.now();
  }
}
