/**
 * A map that is extended without copying it. It has three layers: a large, shared base, the keys that were added to it,
 * and a small layer on top. The top layer is merged into the added keys when it has grown, and these are merged into
 * the base when they are half as many. So extending costs only as much as the added keys.
 */
import { ReadonlyMapView } from './readonlyMapView';

const MERGE_THRESHOLD = 512;

export class LayeredMap<V> extends ReadonlyMapView<V> {
  /** @param more the number of keys that the base doesn't have */
  private constructor(
    private readonly base: ReadonlyMap<string, V>,
    private readonly added: ReadonlyMap<string, V>,
    private readonly layer: ReadonlyMap<string, V>,
    private readonly addedKeyCount: number,
  ) {
    super();
  }

  /** Takes over a map, which must not be changed afterwards. */
  static of<V>(base: ReadonlyMap<string, V>): LayeredMap<V> {
    return new LayeredMap(base, new Map<string, V>(), new Map<string, V>(), 0);
  }

  get size(): number {
    return this.base.size + this.addedKeyCount;
  }

  /** Returns a map with `added` on top. This one stays unchanged. */
  with(added: ReadonlyMap<string, V>): LayeredMap<V> {
    if (added.size === 0) return this;
    let { addedKeyCount: more } = this;
    for (const key of added.keys()) if (!this.has(key)) more++;
    if (this.layer.size + added.size < MERGE_THRESHOLD) return new LayeredMap(this.base, this.added, extended(this.layer, added), more);
    const all = extended(extended(this.added, this.layer), added);
    if (all.size * 2 < this.base.size) return new LayeredMap(this.base, all, new Map<string, V>(), more);
    return LayeredMap.of(extended(this.base, all));
  }

  get(key: string): V | undefined {
    if (this.layer.size > 0 && this.layer.has(key)) return this.layer.get(key);
    return this.added.size > 0 && this.added.has(key) ? this.added.get(key) : this.base.get(key);
  }

  has(key: string): boolean {
    return (this.layer.size > 0 && this.layer.has(key)) || (this.added.size > 0 && this.added.has(key)) || this.base.has(key);
  }

  *entries(): MapIterator<[string, V]> {
    for (const [key, value] of this.base) if (!this.layer.has(key) && !this.added.has(key)) yield [key, value];
    for (const [key, value] of this.added) if (!this.layer.has(key)) yield [key, value];
    yield* this.layer;
  }
}

/** Returns a copy of a map with the keys of another map added. */
function extended<V>(map: ReadonlyMap<string, V>, added: ReadonlyMap<string, V>): Map<string, V> {
  const copy = new Map(map);
  for (const [key, value] of added) copy.set(key, value);
  return copy;
}
