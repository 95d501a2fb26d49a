/**
 * Work on lines that its caller can interrupt, and end if it's too much: a generator that yields the amount of its next
 * step, and returns the result. Amounts are counted, not measured, so that work ends at the same place on every computer.
 */
import type { Steps } from '../session/steps';

export type Work<T> = Generator<number, T>;

/** The amount of about a millisecond. Comparing a line counts 1, aligning or looking up a line counts about 10. */
const STEP = 100_000;
/** Lines after which a loop yields. */
export const CHUNK = 2048;
/** The amount for a line that is looked up or aligned. */
export const ALIGNED = 10;
/** The amount for each part of the work, however small it is. */
const PART = 100;

/** Makes steps of some work, of about a millisecond each. */
export function* workSteps<T>(work: Work<T>): Steps<T> {
  let amount = 0;
  let next = work.next();
  for (; next.done !== true; next = work.next()) {
    amount += PART + next.value;
    if (amount < STEP) continue;
    amount = 0;
    yield;
  }
  return next.value;
}

/** Does work as far as it doesn't exceed an amount; returns `instead` if it does. Then the work is over, so it must only return a value. */
export function* limitedWork<T, U>(work: Work<T>, most: number, instead: U): Work<T | U> {
  let left = most;
  let next = work.next();
  for (; next.done !== true; next = work.next()) {
    left -= PART + next.value;
    if (left < 0) return instead;
    yield next.value;
  }
  return next.value;
}

/** Does all work without a pause, and returns the result. */
export function finishWork<T>(work: Work<T>): T {
  let next = work.next();
  while (next.done !== true) next = work.next();
  return next.value;
}
