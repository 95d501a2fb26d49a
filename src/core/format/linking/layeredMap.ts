/**
 * A map that can be extended without copying it: a large base that is shared, what was added to it, and a small layer on
 * top. The layer goes to what was added when it has grown, and that to the base when it is half as large: extending
 * costs what was added.
 */
import { ReadonlyMapView } from './readonlyMapView';

const MERGE_THRESHOLD = 512;

export class LayeredMap<V> extends ReadonlyMapView<V> {
  /** `more`: how many keys there are that the base has not. */
  private constructor(
    private readonly base: ReadonlyMap<string, V>,
    private readonly added: ReadonlyMap<string, V>,
    private readonly layer: ReadonlyMap<string, V>,
    private readonly addedKeyCount: number,
  ) {
    super();
  }

  /** Takes the map over: nobody may change it afterwards. */
  static of<V>(base: ReadonlyMap<string, V>): LayeredMap<V> {
    return new LayeredMap(base, new Map<string, V>(), new Map<string, V>(), 0);
  }

  get size(): number {
    return this.base.size + this.addedKeyCount;
  }

  /** This map with `added` on top; this one stays as it is. */
  with(added: ReadonlyMap<string, V>): LayeredMap<V> {
    if (added.size === 0) return this;
    let { addedKeyCount: more } = this;
    for (const key of added.keys()) if (!this.has(key)) more++;
    const layer = new Map([...this.layer, ...added]);
    if (layer.size < MERGE_THRESHOLD) return new LayeredMap(this.base, this.added, layer, more);
    const all = new Map([...this.added, ...layer]);
    if (all.size * 2 < this.base.size) return new LayeredMap(this.base, all, new Map<string, V>(), more);
    return LayeredMap.of(new Map([...this.base, ...all]));
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
