/** A cache of limited size. */

/**
 * Adds a value as the most recently used one, and removes the least recently used ones until all together fit into the
 * limit. The new value stays, however large it is.
 *
 * @param kept the cache, the least recently used value first
 * @param sizeOf a value's size, in the unit of `most`
 * @param most the limit of all sizes together
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
