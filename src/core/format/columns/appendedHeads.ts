/** Heads of a file's known lines, followed by the heads of appended lines. */
import type { Usage } from '../entry/usage';
import type { EntryHead } from '../entry/entryHead';
import { LayeredMap } from '../linking/layeredMap';
import { ReadonlyMapView } from '../linking/readonlyMapView';
import { NO_PARENT, type EntryTraits, type HeadSource } from './headSource';

/** Number of heads in a chunk. Appending copies at most one chunk. */
const CHUNK = 512;

/** Immutable: `with` makes another value that shares the heads of this one. The cost is that of the appended heads. */
export class AppendedHeads implements HeadSource {
  private list: readonly EntryHead[] | undefined;

  private constructor(
    private readonly base: HeadSource,
    private readonly places: LayeredMap<number>,
    /** The appended heads. Every chunk is full, except for the last one. */
    private readonly chunks: readonly (readonly EntryHead[])[],
    readonly length: number,
  ) {}

  /** @param heads with ids that `source` doesn't have */
  static to(source: HeadSource, heads: readonly EntryHead[]): HeadSource {
    if (heads.length === 0) return source;
    const from =
      source instanceof AppendedHeads ? source : new AppendedHeads(source, LayeredMap.of(new PlacesById(source)), [], source.length);
    return from.with(heads);
  }

  at(place: number): EntryHead {
    return this.addedAt(place) ?? this.base.at(place);
  }

  peek(place: number): EntryHead {
    return this.addedAt(place) ?? this.base.peek(place);
  }

  all(): readonly EntryHead[] {
    return (this.list ??= this.base.all().concat(this.chunks.flat()));
  }

  idAt(place: number): string {
    return this.addedAt(place)?.id ?? this.base.idAt(place);
  }

  placeOf(id: string): number | undefined {
    return this.places.get(id);
  }

  parentAt(place: number): number {
    const added = this.addedAt(place);
    if (!added) return this.base.parentAt(place);
    return added.parentId === null ? NO_PARENT : (this.places.get(added.parentId) ?? NO_PARENT);
  }

  traitsAt(place: number): EntryTraits {
    return this.addedAt(place) ?? this.base.traitsAt(place);
  }

  timeAt(place: number): number {
    return this.addedAt(place)?.time ?? this.base.timeAt(place);
  }

  messageTimeAt(place: number): number | undefined {
    const added = this.addedAt(place);
    return added ? added.messageTime : this.base.messageTimeAt(place);
  }

  usageAt(place: number): Usage | undefined {
    const added = this.addedAt(place);
    return added ? added.usage : this.base.usageAt(place);
  }

  lineAt(place: number): number {
    return this.addedAt(place)?.line ?? this.base.lineAt(place);
  }

  offsetAt(place: number): number {
    return this.addedAt(place)?.offset ?? this.base.offsetAt(place);
  }

  lengthAt(place: number): number {
    return this.addedAt(place)?.length ?? this.base.lengthAt(place);
  }

  private addedAt(place: number): EntryHead | undefined {
    const index = place - this.base.length;
    return index < 0 ? undefined : this.chunks[Math.floor(index / CHUNK)]?.[index % CHUNK];
  }

  private with(heads: readonly EntryHead[]): AppendedHeads {
    const chunks = [...this.chunks];
    // A chunk that isn't full is copied: the heads before this addition keep theirs.
    const unfinished = chunks.at(-1);
    let last: EntryHead[] = [];
    if (unfinished && unfinished.length < CHUNK) {
      chunks.pop();
      last = [...unfinished];
    }
    const places = new Map<string, number>();
    for (const head of heads) {
      if (last.length === CHUNK) {
        chunks.push(last);
        last = [];
      }
      last.push(head);
      places.set(head.id, this.length + places.size);
    }
    chunks.push(last);
    return new AppendedHeads(this.base, this.places.with(places), chunks, this.length + heads.length);
  }
}

class PlacesById extends ReadonlyMapView<number> {
  constructor(private readonly heads: HeadSource) {
    super();
  }

  get size(): number {
    return this.heads.length;
  }

  get(id: string): number | undefined {
    return this.heads.placeOf(id);
  }

  has(id: string): boolean {
    return this.heads.placeOf(id) !== undefined;
  }

  *entries(): MapIterator<[string, number]> {
    for (let place = 0; place < this.heads.length; place++) yield [this.heads.idAt(place), place];
  }
}
