/** The entries that oh-my-pi hides: what its `archive` lines name, and everything below. FORMAT section 5. */
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import type { Session } from './session';
import { pathPlaces } from './treeTraversal';

type ArchivedSession = Pick<Session, 'archived' | 'leafId'>;

const SHOWN = 1;
const ARCHIVED = 2;

const KNOWN = new WeakMap<ArchivedSession, Uint8Array>();

/** True if an entry is archived, or one above it. Entries on the path to the leaf never are. Makes no head. */
export function isArchivedAt(session: ArchivedSession, heads: HeadSource, place: number): boolean {
  if (session.archived.size === 0) return false;
  let states = KNOWN.get(session);
  if (!states) KNOWN.set(session, (states = archivedStates(session, heads)));
  return states[place] === ARCHIVED;
}

/** Returns `SHOWN` or `ARCHIVED` by place. Visits each entry once, in any order of parents and children. */
function archivedStates({ archived, leafId }: ArchivedSession, heads: HeadSource): Uint8Array {
  const states = new Uint8Array(heads.length);
  for (const id of archived) {
    const place = heads.placeOf(id);
    if (place !== undefined) states[place] = ARCHIVED;
  }
  const path: number[] = [];
  for (let start = 0; start < heads.length; start++) {
    let place = start;
    while (place !== NO_PARENT && states[place] === 0) {
      // A session that was made by hand may have a circle, which ends here.
      states[place] = SHOWN;
      path.push(place);
      place = heads.parentAt(place);
    }
    const isBelowArchived = place !== NO_PARENT && states[place] === ARCHIVED;
    for (let below = path.pop(); below !== undefined; below = path.pop()) if (isBelowArchived) states[below] = ARCHIVED;
  }
  for (const place of pathPlaces(heads, leafId)) states[place] = SHOWN;
  return states;
}
