/** A cache of limited size. */

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
