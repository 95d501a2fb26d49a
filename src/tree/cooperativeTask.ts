/** Long work in steps, between which others have their turn. */
import { Yielder } from '../core/index';

export type CooperativeTask<T> = Generator<undefined, T>;

/** Entries, or sessions, that are walked in a step: about a millisecond. */
const ITEMS_PER_SLICE = 500;

/** To be asked once for each: whether a step ends there. */
export function sliceCounter(): () => boolean {
  let walked = 0;
  return () => ++walked % ITEMS_PER_SLICE === 0;
}

/** Does all steps, and lets others have their turn after some milliseconds of them. */
export async function runCooperatively<T>(steps: CooperativeTask<T>): Promise<T> {
  const pause = new Yielder(undefined);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await pause.yieldIfDue();
  return step.value;
}
