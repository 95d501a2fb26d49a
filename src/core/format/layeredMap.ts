/**
 * A map that can be extended without copying it: a large base that is shared, and a small layer on top.
 * The layer is folded into a new base when it has grown, so that extending costs what was added.
 */
const FOLD_AT = 512;

export class LayeredMap<V> implements ReadonlyMap<string, V> {
  private constructor(
    private readonly base: ReadonlyMap<string, V>,
    private readonly layer: ReadonlyMap<string, V>,
    readonly size: number,
  ) {}

  /** Takes the map over: nobody may change it afterwards. */
  static of<V>(base: ReadonlyMap<string, V>): LayeredMap<V> {
    return new LayeredMap(base, new Map<string, V>(), base.size);
  }

  /** This map with `added` on top; this one stays as it is. */
  with(added: ReadonlyMap<string, V>): LayeredMap<V> {
    if (added.size === 0) return this;
    let size = this.size;
    for (const key of added.keys()) if (!this.has(key)) size++;
    const layer = new Map([...this.layer, ...added]);
    if (layer.size < FOLD_AT) return new LayeredMap(this.base, layer, size);
    return LayeredMap.of(new Map([...this.base, ...layer]));
  }

  get(key: string): V | undefined {
    return this.layer.has(key) ? this.layer.get(key) : this.base.get(key);
  }

  has(key: string): boolean {
    return this.layer.has(key) || this.base.has(key);
  }

  *entries(): MapIterator<[string, V]> {
    for (const [key, value] of this.base) if (!this.layer.has(key)) yield [key, value];
    yield* this.layer;
  }

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
