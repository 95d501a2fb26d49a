/** Lookups of values that must exist, such as the values of parallel lists. If one is missing, the code is wrong, not the data. */

type Value = object | string | number | boolean;

/** @throws {RangeError} if the list has no element at the index. */
export function elementAt<T extends Value>(list: ArrayLike<T>, index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`No element ${index} in a list of ${list.length}`);
  return found;
}

/** @throws {RangeError} if the map has no value for the key. */
export function valueOf<Key, T extends Value>(map: Pick<ReadonlyMap<Key, T>, 'get'>, key: Key): T {
  const found = map.get(key);
  if (found === undefined) throw new RangeError('Missing map key');
  return found;
}

/** @throws {RangeError} if the list is empty. */
export const lastOf = <T extends Value>(list: ArrayLike<T>): T => elementAt(list, list.length - 1);
