/** Long work that its caller can interrupt: a generator that yields between its steps and returns the result. */
export type Steps<T> = Generator<undefined, T>;

/** Number of entries or sessions whose walk takes about a millisecond. */
export const STEP_LENGTH = 500;

/** Returns a function to be called once per entry or session of a walk; it returns true where a step ends. */
export function stepCounter(): () => boolean {
  let walked = 0;
  return () => ++walked % STEP_LENGTH === 0;
}

/** Does the steps with a pause between them, and returns the result. @param pause resolves when the work may continue */
export async function runSteps<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await pause();
  return step.value;
}

/** Does all steps without a pause, and returns the result. */
export function finishSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
