/** Long work in short steps that yield to the event loop. */
import { Yielder } from '../core/index';

export type CooperativeTask<T> = Generator<undefined, T>;

/** The number of entries or sessions walked per step, which takes about a millisecond. */
const ITEMS_PER_SLICE = 500;

/** Returns a function to be called once per item; it returns true where a step ends. */
export function sliceCounter(): () => boolean {
  let walked = 0;
  return () => ++walked % ITEMS_PER_SLICE === 0;
}

/** Runs all steps; yields to the event loop after some milliseconds of them. */
export async function runCooperatively<T>(steps: CooperativeTask<T>): Promise<T> {
  const pause = new Yielder(undefined);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await pause.yieldIfDue();
  return step.value;
}
