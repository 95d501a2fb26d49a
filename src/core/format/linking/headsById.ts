/** Implements `Session.byId` over the heads by place. */
import type { EntryHead } from '../entry/entryHead';
import { HeadList } from '../columns/headList';
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import { ReadonlyMapView } from './readonlyMapView';
import type { Session } from '../session/session';

export class HeadsById extends ReadonlyMapView<EntryHead> {
  constructor(readonly heads: HeadSource) {
    super();
  }

  get size(): number {
    return this.heads.length;
  }

  get(id: string): EntryHead | undefined {
    const place = this.heads.placeOf(id);
    return place === undefined ? undefined : this.heads.at(place);
  }

  has(id: string): boolean {
    return this.heads.placeOf(id) !== undefined;
  }

  override *keys(): MapIterator<string> {
    for (let place = 0; place < this.heads.length; place++) yield this.heads.idAt(place);
  }

  *entries(): MapIterator<[string, EntryHead]> {
    for (let place = 0; place < this.heads.length; place++) yield [this.heads.idAt(place), this.heads.at(place)];
  }
}

/** Returns the heads of a session by place, for work on many entries: only the requested heads are made. */
export function headsOf(session: Pick<Session, 'byId'>): HeadSource {
  const { byId } = session;
  if (byId instanceof HeadsById) return byId.heads;
  const heads = [...byId.values()];
  const places = new Map(heads.map(({ id }, place) => [id, place]));
  return new HeadList(
    heads,
    places,
    Int32Array.from(heads, ({ parentId }) => (parentId === null ? NO_PARENT : (places.get(parentId) ?? NO_PARENT))),
  );
}
