/** Base class of read-only maps over other data structures. */
export abstract class ReadonlyMapView<V> implements ReadonlyMap<string, V> {
  abstract readonly size: number;
  abstract get(key: string): V | undefined;
  abstract has(key: string): boolean;
  abstract entries(): MapIterator<[string, V]>;

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  forEach(callback: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }
}
