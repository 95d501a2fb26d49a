/** Splits a session's tree into lines. Each entry is on exactly one line, which begins at a root or a fork and ends at a tip. */
import { valueOf } from '../values/lookups';
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import { defined } from '../values/defined';
import { ChildPlaces } from '../linking/childIndex';
import { isArchivedAt } from '../session/archivedEntries';
import { isVisibleIfRestored } from '../session/entryFilter';
import { headsOf } from '../linking/headsById';
import type { Session } from '../session/session';
import { STEP_LENGTH, type Steps } from '../session/steps';
import { activityTimeAt, pathMarks } from '../session/treeTraversal';

export interface BranchLine {
  /** The places of its entries, from the first one to the tip. */
  readonly places: readonly number[];
  /** The id of its first entry. */
  readonly startId: string;
  /** The line that it forks off; absent at a root. */
  readonly parent?: BranchLine;
  /** The lines that fork off it, by the entry's place, oldest first. */
  readonly forks: ReadonlyMap<number, readonly BranchLine[]>;
  /** True if it has the leaf. */
  readonly isActive: boolean;
  /** True if it has entries of the path to the current entry. */
  readonly isOnCurrentPath: boolean;
  /** The number of branches: this line, if it has visible entries, and all that fork off it. Archived ones are counted apart. */
  readonly branchCount: number;
  readonly archivedCount: number;
  /** Time of its newest message, in milliseconds since 1970; 0 if there is none. Lines that fork off it have no newer ones, unless this line has the leaf. */
  readonly newestTime: number;
}

interface BranchLines {
  /** Each line before the lines that fork off it. */
  readonly lines: readonly BranchLine[];
  /** By place, 1 for the entries on the paths to the leaf and to the current entry. */
  readonly activePath: Uint8Array;
  readonly currentPath: Uint8Array;
}

interface LineStart {
  readonly place: number;
  readonly parent?: MutableLine;
}

type MutableLine = { -readonly [K in Exclude<keyof BranchLine, 'places' | 'forks' | 'parent'>]: BranchLine[K] } & {
  places: number[];
  forks: Map<number, MutableLine[]>;
  parent?: MutableLine;
};

/**
 * Divides the tree into lines, one per tip. FORMAT section 5. The active path is one line; at other forks, a line continues to the newest
 * message, as in the Sessions view. Makes no head.
 *
 * @param currentId the current entry; `null` for none.
 */
export function* branchLines(session: Session, currentId: string | null): Steps<BranchLines> {
  const heads = headsOf(session);
  const children = new ChildPlaces(heads);
  yield;
  const roots = rootPlaces(heads);
  yield;
  const leaf = session.leafId === null ? undefined : heads.placeOf(session.leafId);
  const active = pathMarks(heads, session.leafId);
  yield;
  const currentPath = currentId === session.leafId ? active : pathMarks(heads, currentId);
  yield;
  const next = yield* preferredChildren(heads, children, roots, active);
  const lines: MutableLine[] = [];
  let count = 0;
  const starts: LineStart[] = roots.map((place) => ({ place })).reverse();
  for (let start = starts.pop(); start; start = starts.pop()) {
    const line = beginLine(heads, start);
    lines.push(line);
    let place: number | undefined = start.place;
    while (place !== undefined) {
      if (++count % STEP_LENGTH === 0) yield;
      line.places.push(place);
      line.newestTime = Math.max(line.newestTime, activityTimeAt(heads, place) ?? 0);
      line.isActive ||= place === leaf;
      line.isOnCurrentPath ||= currentPath[place] === 1;
      if (line.branchCount === 0 && isVisibleIfRestored(session, heads, place, 'default')) {
        if (isArchivedAt(session, heads, place)) line.archivedCount = 1;
        else line.branchCount = 1;
      }
      const isFork = children.isFork(place);
      const continued: number | undefined = isFork ? next.get(place) : children.onlyChild(place);
      if (isFork) for (const child of children.at(place).toReversed()) if (child !== continued) starts.push({ place: child, parent: line });
      place = continued;
    }
  }
  for (const { parent, branchCount, archivedCount } of lines.toReversed()) {
    if (!parent) continue;
    parent.branchCount += branchCount;
    parent.archivedCount += archivedCount;
  }
  return { lines, activePath: active, currentPath };
}

/** Makes a line without entries, and adds it to the forks of the line that it begins on. */
function beginLine(heads: HeadSource, { place, parent }: LineStart): MutableLine {
  const line: MutableLine = {
    places: [],
    startId: heads.idAt(place),
    ...defined({ parent }),
    forks: new Map(),
    isActive: false,
    isOnCurrentPath: false,
    branchCount: 0,
    archivedCount: 0,
    newestTime: 0,
  };
  if (parent) {
    const fork = heads.parentAt(place);
    const siblings = parent.forks.get(fork);
    if (siblings) siblings.push(line);
    else parent.forks.set(fork, [line]);
  }
  return line;
}

function rootPlaces(heads: HeadSource): number[] {
  const roots: number[] = [];
  for (let place = 0; place < heads.length; place++) if (heads.parentAt(place) === NO_PARENT) roots.push(place);
  return roots;
}

/** Returns, for each entry with several children, the child that its line continues with. */
function* preferredChildren(
  heads: HeadSource,
  children: ChildPlaces,
  roots: readonly number[],
  active: Uint8Array,
): Steps<Map<number, number>> {
  const order: number[] = [];
  const forks = new Map<number, readonly number[]>();
  const stack = [...roots];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (order.push(place) % STEP_LENGTH === 0) yield;
    const only = children.onlyChild(place);
    if (only !== undefined) stack.push(only);
    if (!children.isFork(place)) continue;
    const list = children.at(place);
    forks.set(place, list);
    for (const child of list) stack.push(child);
  }
  const next = new Map<number, number>();
  if (forks.size === 0) return next;
  // Times of entries that have siblings. An only child comes right after its parent, so the newest time of a chain is carried along.
  const newest = new Map<number, number>();
  for (const list of forks.values()) for (const child of list) newest.set(child, 0);
  let below = 0;
  for (const [index, place] of order.reverse().entries()) {
    if (index % STEP_LENGTH === 0) yield;
    let time = Math.max(activityTimeAt(heads, place) ?? 0, children.onlyChild(place) === undefined ? 0 : below);
    let best: number | undefined;
    let bestTime = 0;
    for (const child of forks.get(place) ?? []) {
      const childTime = valueOf(newest, child);
      time = Math.max(time, childTime);
      if (best === undefined || active[child] === 1 || (active[best] !== 1 && childTime >= bestTime)) [best, bestTime] = [child, childTime];
    }
    if (newest.has(place)) newest.set(place, time);
    if (best !== undefined) next.set(place, best);
    below = time;
  }
  return next;
}
