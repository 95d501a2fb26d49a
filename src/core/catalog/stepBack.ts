/** Threads that let others go first. */
import { getPriority, setPriority } from 'node:os';

/** A tenth of a processor that somebody else wants, too. What was stored is committed by the clock, so that nobody waits long for the database. */
export const STEP_BACK = 10;

/**
 * Rows are shown by other threads, which go first where processors are few. Only Linux has a priority for a thread,
 * elsewhere it is the whole process's. Whoever is as far back already stays there.
 */
export function stepBack(): void {
  if (process.platform !== 'linux' || getPriority() >= STEP_BACK) return;
  try {
    setPriority(STEP_BACK);
  } catch {
    // A sandbox may forbid it: then it reads as everybody else does.
  }
}
