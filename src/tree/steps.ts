/** Long work in steps, between which others have their turn. */
import { Pause } from '../core/index';

export type Steps<T> = Generator<undefined, T>;

/** Entries, or sessions, that are walked in a step: about a millisecond. */
const STEP = 500;

/** To be asked once for each: whether a step ends there. */
export function everyStep(): () => boolean {
  let walked = 0;
  return () => ++walked % STEP === 0;
}

/** Does all steps, and lets others have their turn after some milliseconds of them. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  const pause = new Pause(undefined);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await pause.here();
  return step.value;
}
