/** Builds `Session.children` from the parents of the heads. */
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import { elementAt, valueOf } from '../values/lookups';
import { ReadonlyMapView } from './readonlyMapView';

const NONE = -1;

/** Linked lists of places: the first child of each place, and the next child of the same parent. */
interface ChildLinks {
  readonly first: Int32Array;
  readonly next: Int32Array;
  /** The number of places with children. */
  readonly size: number;
}

/** Ids of children by the id of their parent, oldest first. The lists are built at the first access, and each list on demand. */
export class ChildIndex extends ReadonlyMapView<readonly string[]> {
  private built: ChildLinks | undefined;

  constructor(private readonly heads: HeadSource) {
    super();
  }

  get size(): number {
    return this.links.size;
  }

  get(id: string): readonly string[] | undefined {
    const place = this.heads.placeOf(id);
    return place === undefined ? undefined : this.childrenAt(place);
  }

  has(id: string): boolean {
    const place = this.heads.placeOf(id);
    return place !== undefined && this.links.first[place] !== NONE;
  }

  *entries(): MapIterator<[string, readonly string[]]> {
    for (let place = 0; place < this.heads.length; place++) {
      const parent = this.heads.parentAt(place);
      if (parent === NO_PARENT || this.links.first[parent] !== place) continue;
      const children = this.childrenAt(parent);
      if (children) yield [this.heads.idAt(parent), children];
    }
  }

  private childrenAt(place: number): string[] | undefined {
    const { first, next } = this.links;
    const child = first[place]!;
    if (child === NONE) return undefined;
    // Most entries have one child.
    return next[child] === NONE ? [this.heads.idAt(child)] : withChildren(this.heads, [], listAt(this.links, place));
  }

  private get links(): ChildLinks {
    return (this.built ??= childLinks(this.heads));
  }
}

/**
 * Returns the ids of an entry's children, oldest first; children with the same time are in file order. This costs no more than a copy,
 * as an entry may have a hundred thousand children.
 *
 * @param known the ids of the earlier children, in this order
 * @param added the places of the children that come after them in the file
 */
export function withChildren(heads: HeadSource, known: readonly string[], added: number[]): string[] {
  const ids: string[] = [];
  let taken = 0;
  const takeTo = (end: number): void => {
    while (taken < end) ids.push(elementAt(known, taken++));
  };
  for (const place of sortByTime(heads, added)) {
    takeTo(countUpTo(heads, known, heads.timeAt(place)));
    ids.push(heads.idAt(place));
  }
  takeTo(known.length);
  return ids;
}

/** Returns how many of some entries, oldest first, aren't later than a time. */
function countUpTo(heads: HeadSource, ids: readonly string[], time: number): number {
  const places = { get: (id: string) => heads.placeOf(id) };
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (heads.timeAt(valueOf(places, elementAt(ids, middle))) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const sortByTime = (heads: HeadSource, places: number[]): number[] =>
  places.length > 1 ? places.sort((a, b) => heads.timeAt(a) - heads.timeAt(b)) : places;

/** Places of children by the place of their parent, for walks over a whole tree. */
export class ChildPlaces {
  private readonly links: ChildLinks;

  constructor(private readonly heads: HeadSource) {
    this.links = childLinks(heads);
  }

  /** True if the entry has several children. */
  isFork(place: number): boolean {
    const child = this.links.first[place]!;
    return child !== NONE && this.links.next[child] !== NONE;
  }

  /** Returns the only child; `undefined` if there is none, or if there are several. */
  onlyChild(place: number): number | undefined {
    const child = this.links.first[place]!;
    return child !== NONE && this.links.next[child] === NONE ? child : undefined;
  }

  /** Returns the first child in file order; a negative number if there is none. */
  firstAt(place: number): number {
    return this.links.first[place]!;
  }

  /** Returns the next child of the same parent in file order; a negative number after the last one. */
  nextAt(child: number): number {
    return this.links.next[child]!;
  }

  /** Returns the children, in the order of `Session.children`. */
  at(place: number): readonly number[] {
    return sortByTime(this.heads, listAt(this.links, place));
  }
}

/** Returns the children of an entry, in file order. */
function listAt({ first, next }: ChildLinks, place: number): number[] {
  const found: number[] = [];
  for (let child = first[place]!; child !== NONE; child = next[child]!) found.push(child);
  return found;
}

function childLinks(heads: HeadSource): ChildLinks {
  const count = heads.length;
  const first = new Int32Array(count).fill(NONE);
  const next = new Int32Array(count).fill(NONE);
  let size = 0;
  // Goes backwards, so that each list is in file order.
  for (let place = count - 1; place >= 0; place--) {
    const parent = heads.parentAt(place);
    if (parent === NO_PARENT) continue;
    if (first[parent] === NONE) size++;
    next[place] = first[parent]!;
    first[parent] = place;
  }
  return { first, next, size };
}
