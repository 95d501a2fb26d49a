/** Cooperative yielding for long work on the calling thread, with cancellation at each yield. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runSteps, type Steps } from '../../format/session/steps';

/** Milliseconds of work in one turn. */
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

/** When the work of this turn began, as of `performance.now`; `undefined` until a yielder asks. Shared like the event loop. */
let turnBegan: number | undefined;

/**
 * Yields to the event loop after five milliseconds of work. All yielders of a thread count the same turn: tasks that
 * follow each other without a pause, each with a slice of its own, would add up to one long block.
 */
export class Yielder {
  /** @param signal aborts the task at its next yield. */
  constructor(private readonly signal: AbortSignal | undefined) {
    beginTurn();
  }

  /** True if five milliseconds of this turn have passed. */
  isDue(): boolean {
    return performance.now() - beginTurn() >= SLICE;
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
  }

  /** Does work in steps, yielding between them if {@link isDue}, and returns its result. */
  run<T>(steps: Steps<T>): Promise<T> {
    return runSteps(steps, () => this.yieldIfDue());
  }
}

/** Returns when the turn began: now, if this is the first call in it. */
function beginTurn(): number {
  if (turnBegan === undefined) {
    turnBegan = performance.now();
    setImmediate(() => (turnBegan = undefined));
  }
  return turnBegan;
}
