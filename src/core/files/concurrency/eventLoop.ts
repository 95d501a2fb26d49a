/** Cooperative yielding for long work on the calling thread, with cancellation at each yield. */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { runSteps, type Steps } from '../../format/session/steps';

/** Milliseconds of work in one turn. */
const SLICE = 5;

/** Milliseconds for which one piece of work has priority. */
const MAX_PRIORITY = 100;

/** Number of pieces of work that have priority. Shared per thread, like the event loop itself. */
let prioritized = 0;

let lastYield: Promise<void> = Promise.resolve();

/**
 * Yields to the event loop; resumes one waiter per tick, first in, first out. If all waiters resumed in the same tick,
 * the slices of several long tasks would add up to one long block.
 */
export function yieldToEventLoop(): Promise<void> {
  return (lastYield = lastYield.then(() => (prioritized > 0 ? delay(SLICE) : nextTurn())));
}

/**
 * Does short work that a person waits for. Until it ends, for at most 100 milliseconds, long work on this thread pauses for five
 * milliseconds after each slice. Otherwise each of this work's calls to the disk would wait for a slice.
 */
export async function runWithPriority<T>(work: () => Promise<T>): Promise<T> {
  let hasPriority = true;
  const end = (): void => {
    if (hasPriority) prioritized--;
    hasPriority = false;
  };
  prioritized++;
  const timer = setTimeout(end, MAX_PRIORITY);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** When the work of this turn began, as of `performance.now`; `undefined` until a yielder asks. Shared like the event loop. */
let turnBegan: number | undefined;

/**
 * Yields to the event loop after five milliseconds of work. All yielders of a thread count the same turn: consecutive
 * tasks, each with its own slice, would add up to one long block.
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
