/** Lists that may be long. `f(...list)` passes each element on the stack, which overflows from about a hundred thousand on. */

/** Adds elements to the end of a list. */
export function appendAll<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}

/** Returns the largest number; `-Infinity` for an empty list. */
export const largest = (numbers: readonly number[]): number => numbers.reduce((most, one) => Math.max(most, one), -Infinity);

/** Returns the smallest number; `Infinity` for an empty list. */
export const smallest = (numbers: readonly number[]): number => numbers.reduce((least, one) => Math.min(least, one), Infinity);
