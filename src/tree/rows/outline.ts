/**
 * A session under a filter as levels of rows. Pure. A level is one line of entries, from its start down to a tip, as a
 * flat list in file order; each branch off that line is one row. So a row's depth is the number of forks above it, never
 * the number of its ancestors.
 *
 * Levels list places, and `outlineRow` makes the rows that are shown: a session of 50,000 entries shows some hundred, and
 * as many objects would keep V8's garbage collection busy for longer than a frame.
 */
import {
  ChildPlaces,
  defined,
  headsOf,
  isArchivedAt,
  isVisibleAt,
  NO_PARENT,
  pathPlaces,
  sortSteps,
  stepCounter,
  type EntryHead,
  type Filter,
  type HeadSource,
  type Session,
  type Steps,
} from '../../core/index';
import { activityTimes, isOnBranch, type ActivityTimes } from './activityTimes';

export type OutlineRow = OutlineEntry | OutlineBranch;

export interface OutlineEntry {
  readonly kind: 'entry';
  readonly head: EntryHead;
  readonly label?: string;
  /** True if the session continues here, or at an entry below that has no row under this filter. */
  readonly isLeaf: boolean;
}

/** The entries of an abandoned branch. */
export interface OutlineBranch {
  readonly kind: 'branch';
  /** The id of the branch's first entry, visible or not; identifies the branch. */
  readonly startId: string;
  /** The branch's first entry that has a row. */
  readonly head: EntryHead;
  readonly label?: string;
  /** The end of the branch's own line: on the way to the newest message, the last entry that is visible by default or a message. */
  readonly tipId: string;
  readonly tipLabel?: string;
  /** The number of user messages on its own line. */
  readonly turnCount: number;
  /** The number of entries on its own line that have a row. */
  readonly visibleCount: number;
  /** The newest message on the branch and its own branches, in milliseconds since 1970; 0 without one. The age of a session is that of its newest message, too. */
  readonly newest: number;
}

/** The place of an entry, or a branch; `outlineRow` makes its row. */
export type OutlineElement = number | BranchPlaces;

/** A branch, with places for the ids and the head of `OutlineBranch`. */
interface BranchPlaces extends Pick<OutlineBranch, 'turnCount' | 'visibleCount'> {
  readonly start: number;
  readonly first: number;
  readonly tip: number;
}

export interface Outline extends ActivityTimes {
  readonly session: Session;
  readonly heads: HeadSource;
  /** Doesn't have the entries that were appended to the active path after the outline was built. */
  readonly children: ChildPlaces;
  readonly filter: Filter;
  /** The active path. */
  readonly elements: readonly OutlineElement[];
  /** The place of the row with `isLeaf`. */
  readonly leafRow: number | undefined;
}

/** Walks the session once, and returns its outline. */
export function* buildOutline(session: Session, filter: Filter): Steps<Outline> {
  const isDue = stepCounter();
  const heads = headsOf(session);
  const children = new ChildPlaces(heads);
  yield;
  const path = pathPlaces(heads, session.leafId);
  yield;
  const roots: number[] = [];
  for (let place = 0; place < heads.length; place++) {
    if (heads.parentAt(place) === NO_PARENT) roots.push(place);
    if (isDue()) yield;
  }
  const otherRoots = roots.filter((root) => root !== path[0]);
  const left = [...otherRoots];
  for (const [index, place] of path.entries()) {
    for (const child of otherChildren(children, place, path[index + 1])) left.push(child);
    if (isDue()) yield;
  }
  const walk = { session, filter, heads, children, ...(yield* activityTimes(heads, children, left, isDue)), isDue };
  const elements: OutlineElement[] = yield* branchesAt(walk, otherRoots);
  yield* addElements(elements, walk, path, true);
  const { newestChild, newestTimes } = walk;
  return { session, heads, children, filter, newestChild, newestTimes, elements, leafRow: leafRowOf(elements) };
}

/**
 * The rows of a level: the active path, or with `startId` the line of that branch. A branch comes after the nearest row
 * above its fork; several at one fork are in the order in which they were started. A line without visible entries has no
 * row, and its own branches take its place.
 */
export function* outlineLevel(outline: Outline, startId?: string): Steps<readonly OutlineElement[]> {
  if (startId === undefined) return outline.elements;
  const walk = { ...outline, isDue: stepCounter() };
  const elements: OutlineElement[] = [];
  const line: number[] = [];
  for (let place = outline.heads.placeOf(startId) ?? NO_PARENT; place >= 0; place = outline.newestChild[place] ?? NO_PARENT) {
    line.push(place);
    if (walk.isDue()) yield;
  }
  // Branches that fork off before the first row are listed next to the branch, not inside it.
  yield* addElements(elements, walk, line, false);
  return elements;
}

/** Makes a row. */
export function outlineRow(outline: Outline, element: OutlineElement): OutlineRow {
  const { session, heads, newestTimes } = outline;
  if (typeof element === 'number') {
    const label = session.labels.get(heads.idAt(element));
    return { kind: 'entry', head: heads.at(element), ...defined({ label }), isLeaf: element === outline.leafRow };
  }
  const { start, first, tip, turnCount, visibleCount } = element;
  const head = heads.at(first);
  const tipId = heads.idAt(tip);
  return {
    kind: 'branch',
    startId: heads.idAt(start),
    head,
    ...defined({ label: session.labels.get(head.id) }),
    tipId,
    ...defined({ tipLabel: session.labels.get(tipId) }),
    turnCount,
    visibleCount,
    newest: newestTimes[start] ?? 0,
  };
}

/** Returns the place of the last entry with a row on the active path. */
export const leafRowOf = (elements: readonly OutlineElement[]): number | undefined =>
  elements.findLast((element) => typeof element === 'number');

interface OutlineWalk extends Pick<Outline, 'session' | 'filter' | 'heads' | 'children' | 'newestChild'> {
  readonly isDue: () => boolean;
}

/** Adds a line's entries and the branches off it. @param fromBeginning also branches before the line's first row */
function* addElements(elements: OutlineElement[], walk: OutlineWalk, line: readonly number[], fromBeginning: boolean): Steps<void> {
  const { session, filter, heads, children } = walk;
  for (const [index, place] of line.entries()) {
    if (isVisibleAt(session, heads, place, filter)) elements.push(place);
    const others = fromBeginning || elements.length > 0 ? otherChildren(children, place, line[index + 1]) : [];
    if (others.length > 0) for (const branch of yield* branchesAt(walk, others)) elements.push(branch);
    if (walk.isDue()) yield;
  }
}

/** The position of an entry's row, or of the nearest visible ancestor's. */
interface OutlineLocation {
  /** The `startId`s of the branch rows to expand, from the top. */
  readonly branches: readonly string[];
  /** The id of the entry that has a row; absent if neither the entry nor any ancestor has one. */
  readonly entryId?: string;
}

export function locateInOutline(outline: Outline, entryId: string): OutlineLocation {
  const { heads } = outline;
  const found = nearestVisible(outline, heads.placeOf(entryId) ?? NO_PARENT);
  const branches: string[] = [];
  for (let at = found; at !== NO_PARENT;) {
    const start = branchStart(outline, at);
    if (start === undefined) break;
    branches.push(heads.idAt(start));
    at = nearestVisible(outline, heads.parentAt(start));
  }
  return { branches: branches.reverse(), ...(found === NO_PARENT ? {} : { entryId: heads.idAt(found) }) };
}

function nearestVisible({ session, heads, filter }: Outline, from: number): number {
  let place = from;
  while (place !== NO_PARENT && !isVisibleAt(session, heads, place, filter)) place = heads.parentAt(place);
  return place;
}

/** The first entry of the branch line that contains an entry; `undefined` on the active path. */
function branchStart(outline: Outline, place: number): number | undefined {
  const { heads, newestChild } = outline;
  let at = place;
  while (isOnBranch(outline, at)) {
    const parent = heads.parentAt(at);
    if (parent === NO_PARENT || !isOnBranch(outline, parent) || newestChild[parent] !== at) return at;
    at = parent;
  }
  return undefined;
}

/** The children of an entry in file order, except for the child that continues its line. */
function otherChildren(children: ChildPlaces, place: number, next: number | undefined): number[] {
  const others: number[] = [];
  for (let child = children.firstAt(place); child >= 0; child = children.nextAt(child)) if (child !== next) others.push(child);
  return others;
}

/** The branches of the lines that begin at `starts`. */
function* branchesAt(walk: OutlineWalk, starts: readonly number[]): Steps<BranchPlaces[]> {
  const { session, filter, heads, children, newestChild, isDue } = walk;
  const found: BranchPlaces[] = [];
  const waiting = [...starts];
  for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
    let [first, tip]: (number | undefined)[] = [];
    let last = start;
    let turnCount = 0;
    let visibleCount = 0;
    for (let place = start; place >= 0; place = newestChild[place] ?? NO_PARENT) {
      // Everything below is archived, too.
      if (filter !== 'all' && isArchivedAt(session, heads, place)) break;
      const { type, role } = heads.traitsAt(place);
      if (role === 'user') turnCount++;
      if (isVisibleAt(session, heads, place, filter)) {
        first ??= place;
        visibleCount++;
      }
      if (first === undefined) for (const child of otherChildren(children, place, newestChild[place])) waiting.push(child);
      if (type === 'message' || isVisibleAt(session, heads, place, 'default')) tip = place;
      last = place;
      if (isDue()) yield;
    }
    if (first !== undefined) found.push({ start, first, tip: tip ?? last, turnCount, visibleCount });
  }
  if (found.length < 2) return found;
  return yield* sortSteps(found, (a, b) => heads.timeAt(a.first) - heads.timeAt(b.first) || a.first - b.first);
}
