/** The ones that were used last, up to so much. */

/**
 * Puts one among those that are kept, as the one that was used last; the least recently used ones go while all together
 * are more than `most`. It stays itself, however large it is.
 *
 * @param sizeOf of one, in the unit of `most`
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
