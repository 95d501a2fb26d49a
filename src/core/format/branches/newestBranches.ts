/** The newest branches of a session, as lists for a choice name them. Needs heads only of the branches that are returned. */
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import type { EntryHead } from '../entry/entryHead';
import { headsOf } from '../linking/headsById';
import { ChildPlaces } from '../linking/childIndex';
import { isArchivedAt } from '../session/archivedEntries';
import { isVisibleAt } from '../session/entryFilter';
import { assertEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { STEP_LENGTH, type Steps } from '../session/steps';
import { pathMarks, tipPlaces } from '../session/treeTraversal';

export interface NewestBranch {
  readonly tip: EntryHead;
  /** The last entry on the path to the tip that has a row under the default filter; the tip if there is none. */
  readonly lastVisible: EntryHead;
  /** The number of user messages on the path to the tip that aren't on the active branch. */
  readonly turns: number;
}

/**
 * Returns the branches with the latest tips, latest first, without archived ones. Walks over each entry once, however many branches there are.
 *
 * @param count the number of branches to return at most
 * @param without the id of a tip that is left out
 */
export function* newestBranches(session: Session, count: number, without: string | null): Steps<NewestBranch[]> {
  const heads = headsOf(session);
  const tips = (yield* tipPlaces(heads)).filter((place) => heads.idAt(place) !== without && !isArchivedAt(session, heads, place));
  yield;
  const newest = tips
    .map((place) => ({ place, time: heads.timeAt(place) }))
    .sort((a, b) => b.time - a.time)
    .slice(0, count);
  yield;
  const walk = new BranchWalk(session, heads);
  const found: NewestBranch[] = [];
  for (const { place } of newest) {
    yield* walk.visit(place);
    const visible = walk.lastVisible[place]!;
    const tip = heads.at(place);
    found.push({ tip, lastVisible: visible === NO_PARENT ? tip : heads.at(visible), turns: walk.turns[place]! });
  }
  return found;
}

/**
 * Returns the id of the latest tip among an entry and its descendants; of several, the last in the order of `subtree`.
 *
 * @throws {SessionError} `unknown-entry`
 */
export function* newestTipBelow(session: Session, id: string): Steps<string> {
  assertEntry(session, id);
  const heads = headsOf(session);
  const children = new ChildPlaces(heads);
  yield;
  return heads.idAt(yield* newestTipPlace(heads, children, heads.placeOf(id) ?? NO_PARENT));
}

/** Like `newestTipBelow`, for places. */
export function* newestTipPlace(heads: HeadSource, children: ChildPlaces, from: number): Steps<number> {
  const stack = [from];
  let [newest, newestTime, count] = [NO_PARENT, -Infinity, 0];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (++count % STEP_LENGTH === 0) yield;
    const below = children.at(place);
    for (const child of below.toReversed()) stack.push(child);
    if (below.length > 0 || heads.timeAt(place) < newestTime) continue;
    [newest, newestTime] = [place, heads.timeAt(place)];
  }
  return newest;
}

/** Collects facts of the paths to entries. Paths share their beginnings, so each entry is visited once. */
class BranchWalk {
  /** By place: the last visible entry on the path to it, or `NO_PARENT`. */
  readonly lastVisible: Int32Array;
  /** By place: the number of user messages on the path to it that aren't on the active one. */
  readonly turns: Int32Array;
  private readonly isVisited: Uint8Array;
  private readonly isActive: Uint8Array;

  constructor(
    private readonly session: Session,
    private readonly heads: HeadSource,
  ) {
    this.lastVisible = new Int32Array(heads.length).fill(NO_PARENT);
    this.turns = new Int32Array(heads.length);
    this.isVisited = new Uint8Array(heads.length);
    this.isActive = pathMarks(heads, session.leafId);
  }

  *visit(tip: number): Steps<void> {
    const { heads, isVisited } = this;
    const path: number[] = [];
    for (let place = tip; place !== NO_PARENT && isVisited[place] === 0; place = heads.parentAt(place)) {
      isVisited[place] = 1;
      if (path.push(place) % STEP_LENGTH === 0) yield;
    }
    for (let index = path.length - 1; index >= 0; index--) {
      if (index % STEP_LENGTH === 0) yield;
      this.add(path[index]!);
    }
  }

  /** Adds an entry to the path to its parent. */
  private add(place: number): void {
    const { session, heads, lastVisible, turns } = this;
    const parent = heads.parentAt(place);
    const isTurn = this.isActive[place] === 0 && heads.traitsAt(place).role === 'user';
    turns[place] = (parent === NO_PARENT ? 0 : turns[parent]!) + (isTurn ? 1 : 0);
    if (isVisibleAt(session, heads, place, 'default')) lastVisible[place] = place;
    else if (parent !== NO_PARENT) lastVisible[place] = lastVisible[parent]!;
  }
}
