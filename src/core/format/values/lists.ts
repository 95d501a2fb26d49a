/**
 * Lists that may be long, and maps of limited size. `f(...list)` passes each element on the stack, which overflows from about a
 * hundred thousand on.
 */

/** Adds elements to the end of a list. */
export function appendAll<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}

/** Returns the largest number; `-Infinity` for an empty list. */
export const largest = (numbers: readonly number[]): number => numbers.reduce((most, one) => Math.max(most, one), -Infinity);

/** Returns the smallest number; `Infinity` for an empty list. */
export const smallest = (numbers: readonly number[]): number => numbers.reduce((least, one) => Math.min(least, one), Infinity);

/**
 * Adds an entry to a least-recently-used cache as the most recent one. Removes the least recently used others while the
 * total size exceeds `most`; the added entry always stays.
 *
 * @param sizeOf returns the size of an entry, in the unit of `most`.
 */
export function keepRecent<K, V>(kept: Map<K, V>, key: K, value: V, sizeOf: (value: V) => number, most: number): void {
  kept.delete(key);
  kept.set(key, value);
  let size = 0;
  for (const one of kept.values()) size += sizeOf(one);
  for (const [oldest, one] of kept) {
    if (size <= most || oldest === key) break;
    kept.delete(oldest);
    size -= sizeOf(one);
  }
}
