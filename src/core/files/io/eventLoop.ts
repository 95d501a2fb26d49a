/** Long work on the calling thread: others get their turn now and then, and it can be ended there. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds after which others get their turn. */
const SLICE = 5;

/** Of the thread, as its event loop is. */
let lastYield: Promise<void> = Promise.resolve();

/** Others first. Who waits goes on one in each turn of the event loop, in order: the parts of several long works at once would come to a long one. */
export function yieldToEventLoop(): Promise<void> {
  return (lastYield = lastYield.then(() => nextTurn()));
}

export class Yielder {
  private last = performance.now();

  constructor(private readonly signal: AbortSignal | undefined) {}

  isDue(): boolean {
    return performance.now() - this.last >= SLICE;
  }

  /** Waits if it is due. @throws the signal's reason when it was aborted. */
  async yieldIfDue(): Promise<void> {
    if (!this.isDue()) return;
    await yieldToEventLoop();
    this.signal?.throwIfAborted();
    this.last = performance.now();
  }
}
