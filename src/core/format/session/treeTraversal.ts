/** Walks over a session's tree. They are iterative, because a chain may have hundreds of thousands of entries. */
import type { EntryHead } from '../entry/entryHead';
import { NO_PARENT, type EntryTraits, type HeadSource } from '../columns/headSource';
import { headsOf } from '../linking/headsById';
import type { Session } from './session';
import { finishSteps, STEP_LENGTH, type Steps } from './steps';

/** `customType` of the line that makes a branch without a summary durable. FORMAT section 6, rule 4. */
export const BRANCH_MARK = 'pi-session-tree/branch';

/** `customType` of the line that says where an imported or recovered session came from. FORMAT section 6, rule 10. */
export const ORIGIN_MARK = 'pi-session-tree/origin';

/** True for the line that says where a session came from. FORMAT section 6, rule 10. */
export const isOriginMark = ({ customType }: Pick<EntryHead, 'customType'>): boolean => customType === ORIGIN_MARK;

/**
 * True for the line of a branch without a summary. Its own text names the `customType`, which means nothing to people.
 * FORMAT section 6, rule 4.
 */
export const isBranchMark = ({ customType }: Pick<EntryHead, 'customType'>): boolean => customType === BRANCH_MARK;

/**
 * Returns the entries from the root to `id`, both included; empty if the entry doesn't exist. Iterative, so chains may
 * have any length. FORMAT section 4, rule 1.
 */
export function pathTo(session: Pick<Session, 'byId'>, id: string | null): EntryHead[] {
  const heads = headsOf(session);
  return Array.from(pathPlaces(heads, id), (place) => heads.at(place));
}

/** Like `pathTo`, for the entries' places. Makes no head. */
export function pathPlaces(heads: HeadSource, id: string | null): number[] {
  const path: number[] = [];
  let place = id === null ? undefined : heads.placeOf(id);
  // A session that was read has no circle of parents (`breakCycles`), but one that was made by hand may.
  const seen = new Uint8Array(place === undefined ? 0 : heads.length);
  while (place !== undefined && place !== NO_PARENT && seen[place] === 0) {
    seen[place] = 1;
    path.push(place);
    place = heads.parentAt(place);
  }
  return path.reverse();
}

/** Returns, by place, 1 for the entries on the path to an entry. Makes no head. */
export function pathMarks(heads: HeadSource, id: string | null): Uint8Array {
  const found = new Uint8Array(heads.length);
  for (const place of pathPlaces(heads, id)) found[place] = 1;
  return found;
}

/** Returns whether the path from the root to `id` has an entry. Makes no head. */
export function isOnPath(session: Pick<Session, 'byId'>, id: string | null, entryId: string): boolean {
  const heads = headsOf(session);
  const place = heads.placeOf(entryId);
  return place !== undefined && pathPlaces(heads, id).includes(place);
}

/** Returns the entries without children, in file order. FORMAT section 5. */
export function tips(session: Session): EntryHead[] {
  const heads = headsOf(session);
  return finishSteps(tipPlaces(heads)).map((place) => heads.at(place));
}

/** Like `tips`, for the entries' places, in steps. Makes no head. */
export function* tipPlaces(heads: HeadSource): Steps<number[]> {
  const isParent = new Uint8Array(heads.length);
  for (let place = 0; place < heads.length; place++) {
    if (place % STEP_LENGTH === 0) yield;
    const parent = heads.parentAt(place);
    if (parent !== NO_PARENT) isParent[parent] = 1;
  }
  const found: number[] = [];
  for (let place = 0; place < heads.length; place++) if (isParent[place] === 0) found.push(place);
  return found;
}

/**
 * Returns the first entry that passes the test. Makes no other head.
 *
 * @param places the entries to test; by default all, in file order
 */
export function findEntry(
  session: Pick<Session, 'byId'>,
  test: (traits: EntryTraits) => boolean,
  places?: Iterable<number>,
): EntryHead | undefined {
  const heads = headsOf(session);
  for (const place of places ?? Array(heads.length).keys()) if (test(heads.traitsAt(place))) return heads.at(place);
  return undefined;
}

/**
 * Returns `id` and all entries below it, parents before their children, siblings oldest first; empty if the entry
 * doesn't exist. FORMAT section 5.
 */
export function subtree(session: Session, id: string): EntryHead[] {
  const found: EntryHead[] = [];
  const stack = [id];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const head = session.byId.get(next);
    if (!head) continue;
    found.push(head);
    const children = session.children.get(next);
    for (const child of children?.toReversed() ?? []) stack.push(child);
  }
  return found;
}

/**
 * Returns the last id that both paths contain; `undefined` if there is none. Works across files, because forks keep the
 * ids of their entries. FORMAT section 5.
 */
export function forkPoint(a: readonly EntryHead[], b: readonly EntryHead[]): string | undefined {
  const inB = new Set(b.map((head) => head.id));
  return a.findLast(({ id }) => inB.has(id))?.id;
}

/** True if messages of a role count as activity. */
export const isActivityRole = (role: string | undefined): boolean => role === 'user' || role === 'assistant';

/**
 * Returns the time of a user or assistant message, in milliseconds since 1970; `undefined` for all other entries.
 * FORMAT section 5.
 */
export function activityTime(head: EntryHead): number | undefined {
  return isActivityRole(head.role) ? messageTimeOr(head.messageTime, head.time) : undefined;
}

/** Like `activityTime`, for the entry at a place. Makes no head. */
export function activityTimeAt(heads: HeadSource, place: number): number | undefined {
  return isActivityRole(heads.traitsAt(place).role) ? messageTimeOr(heads.messageTimeAt(place), heads.timeAt(place)) : undefined;
}

const messageTimeOr = (messageTime: number | undefined, time: number): number | undefined => messageTime ?? (time === 0 ? undefined : time);

/** Returns the place of the last entry that counts as activity; `NO_PARENT` if there is none. */
function lastActivity(heads: HeadSource): number {
  let place = heads.length - 1;
  while (place >= 0 && activityTimeAt(heads, place) === undefined) place--;
  return place < 0 ? NO_PARENT : place;
}

/** Returns whether the path to a place contains another place. `NO_PARENT` is on every path. */
function isOnPathTo(heads: HeadSource, to: number, place: number): boolean {
  let at = to;
  // See `pathPlaces` about circles.
  for (let steps = heads.length; steps > 0 && at !== NO_PARENT && at !== place; steps--) at = heads.parentAt(at);
  return at === place;
}

const BOOKKEEPING = new Set(['label', 'session_info', 'title_change', 'custom']);

/**
 * Returns the tip where the session should probably continue, if its leaf seems accidental: the last line is
 * bookkeeping that another process wrote from an outdated position, and another branch has newer messages, which also
 * stand later in the file. FORMAT section 3.
 *
 * @returns `undefined` if the leaf is fine.
 */
export function suspectedTip(session: Session): EntryHead | undefined {
  const heads = headsOf(session);
  const leaf = session.leafId === null ? undefined : heads.placeOf(session.leafId);
  if (leaf === undefined || leaf !== heads.length - 1) return undefined;
  const { type, customType } = heads.traitsAt(leaf);
  if (!BOOKKEEPING.has(type) || customType === BRANCH_MARK || customType === ORIGIN_MARK) return undefined;
  if (isOnPathTo(heads, leaf, lastActivity(heads))) return undefined;
  const isOnPath = pathMarks(heads, session.leafId);
  let newest: number | undefined;
  let newestTime = 0;
  let newestOnPath = 0;
  for (let place = 0; place < heads.length; place++) {
    const time = activityTimeAt(heads, place);
    if (time === undefined) continue;
    if (isOnPath[place] === 1) {
      newestOnPath = Math.max(newestOnPath, time);
      // A copy of an answer may have a later time than the answer itself, which stands after it.
      newest = undefined;
    } else if (newest === undefined || time >= newestTime) [newest, newestTime] = [place, time];
  }
  if (newest === undefined || newestTime <= newestOnPath) return undefined;
  // After a deliberate step back, a line marks the branch. An accidental line hangs right on the path to the newer
  // messages.
  const id = heads.idAt(newest);
  return session.children.has(id) ? subtree(session, id).findLast((head) => !session.children.get(head.id)?.length) : heads.at(newest);
}
