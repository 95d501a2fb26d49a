/** Long work that its caller can interrupt: a generator that yields between its steps and returns the result. */
export type Steps<T> = Generator<undefined, T>;

/** Number of entries that take about a millisecond together. */
export const STEP_LENGTH = 500;

/** Does all steps at once, and returns the result. */
export function finishSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
