/** A branch as a part of the tree: its own entries since the nearest fork, and the branch that the person went on with there. */
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import { defined } from '../values/defined';
import { ChildPlaces } from '../linking/childIndex';
import { headsOf } from '../linking/headsById';
import { assertEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { STEP_LENGTH, type Steps } from '../session/steps';
import { pathMarks } from '../session/treeTraversal';
import { newestTipBelow } from './newestBranches';

export interface BranchPart {
  readonly tip: number;
  /** The nearest entry above at which another branch with messages begins; absent if there is none. */
  readonly fork?: number;
  /** The places of the branch's own entries after the fork, in order. */
  readonly own: readonly number[];
  readonly isActive: boolean;
  /** The tip of the branch that the person went on with, and the first prompt on it. Only for a branch that was left. */
  readonly replacedBy?: { readonly tip: number; readonly prompt?: number };
  /** The places at which other branches begin at the fork. */
  readonly others: readonly number[];
}

/**
 * Finds a branch's part of the tree.
 *
 * @param id an entry of the branch, which stands for the newest tip below it; by default the leaf
 * @throws {SessionError} `unknown-entry`
 */
export function* branchPart(session: Session, id: string | undefined): Steps<BranchPart | undefined> {
  const heads = headsOf(session);
  const tipId = id === undefined || id === session.leafId ? session.leafId : yield* newestTipBelow(session, id);
  if (tipId === null) return undefined;
  assertEntry(session, tipId);
  const tip = heads.placeOf(tipId) ?? NO_PARENT;
  const children = new ChildPlaces(heads);
  yield;
  const active = pathMarks(heads, session.leafId);
  yield;
  const own: number[] = [];
  let [place, fork]: [number, number | undefined] = [tip, undefined];
  let others: readonly number[] = [];
  for (; place !== NO_PARENT; place = heads.parentAt(place)) {
    if (own.push(place) % STEP_LENGTH === 0) yield;
    const parent = heads.parentAt(place);
    if (parent === NO_PARENT || !children.isFork(parent)) continue;
    const beside: number[] = [];
    for (const child of children.at(parent)) if (child !== place && (yield* hasMessages(heads, children, child))) beside.push(child);
    if (beside.length === 0) continue;
    [fork, others] = [parent, beside];
    break;
  }
  const isActive = active[tip] === 1;
  const part = { tip, own: own.reverse(), isActive, others, ...defined({ fork }) };
  const next = isActive ? undefined : yield* replacement(session, heads, part, active);
  return next ? { ...part, replacedBy: next } : part;
}

/** True for an entry with messages at or below it. Labels and other notes alone make no branch. */
export function* hasMessages(heads: HeadSource, children: ChildPlaces, from: number): Steps<boolean> {
  const waiting = [from];
  let count = 0;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (++count % STEP_LENGTH === 0) yield;
    const { type } = heads.traitsAt(place);
    if (type === 'message' || type === 'custom_message' || type === 'branch_summary') return true;
    for (const child of children.at(place)) waiting.push(child);
  }
  return false;
}

/** Finds the branch at the fork that is on the active path; if none is, the one with the newest tip, unless this one is newer. */
function* replacement(
  session: Session,
  heads: HeadSource,
  { tip, others }: Pick<BranchPart, 'tip' | 'others'>,
  active: Uint8Array,
): Steps<BranchPart['replacedBy']> {
  let next: { tip: number; start: number } | undefined;
  for (const start of others) {
    const isOnPath = active[start] === 1;
    const below = isOnPath ? session.leafId : yield* newestTipBelow(session, heads.idAt(start));
    const found = { tip: heads.placeOf(below ?? '') ?? start, start };
    if (isOnPath) {
      next = found;
      break;
    }
    if (heads.timeAt(found.tip) >= heads.timeAt(next?.tip ?? tip)) next = found;
  }
  if (!next) return undefined;
  let prompt: number | undefined;
  let count = 0;
  for (let place = next.tip; place !== NO_PARENT; place = heads.parentAt(place)) {
    if (++count % STEP_LENGTH === 0) yield;
    if (heads.traitsAt(place).role === 'user') prompt = place;
    if (place === next.start) break;
  }
  return { tip: next.tip, ...defined({ prompt }) };
}
