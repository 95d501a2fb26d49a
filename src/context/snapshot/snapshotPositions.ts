/** The articles of entries in a snapshot, and scroll positions that keep them in place. */
import { headsOf } from '../../core/format/linking/headsById';
import { pathPlaces } from '../../core/format/session/treeTraversal';
import type { ScrollAnchor } from '../shared/protocol';
import type { ContextSnapshot, PlannedSlot } from './contextSnapshot';
import { estimateLines } from './messageGroups';

/** Returns the index of the group that contains an entry; `undefined` if the view doesn't show it. */
export function groupIndexOf({ groups, slots }: ContextSnapshot, entryId: string): number | undefined {
  const isOfEntry = (candidate: PlannedSlot): boolean => candidate.entryId === entryId;
  // A message that declares the prompt later on also has its own slot.
  const own = slots.findIndex((candidate) => isOfEntry(candidate) && !candidate.promptIds);
  const slot = own < 0 ? slots.findIndex(isOfEntry) : own;
  if (slot < 0) return undefined;
  const group = groups.findIndex(({ to }) => slot < to);
  return group < 0 ? undefined : group;
}

/** Returns the index of the group of an entry, or of the nearest one: the last before it on the branch, else the first. */
export function nearestGroupIndex(snapshot: ContextSnapshot, entryId: string): number | undefined {
  const exact = groupIndexOf(snapshot, entryId);
  if (exact !== undefined) return exact;
  const heads = headsOf(snapshot.session);
  const positions = new Map(snapshot.places.map((place, index) => [place, index]));
  // An entry on another branch is represented by the fork point.
  const shared = pathPlaces(heads, entryId).findLast((place) => positions.has(place));
  const target = shared === undefined ? undefined : positions.get(shared);
  if (target === undefined) return undefined;
  let best: number | undefined;
  let bestAt = -1;
  snapshot.groups.forEach(({ first }, group) => {
    const position = positions.get(heads.placeOf(first.entryId) ?? -1) ?? -1;
    if (position <= target && position > bestAt) [best, bestAt] = [group, position];
  });
  return best ?? (snapshot.groups.length > 0 ? 0 : undefined);
}

/** A position to restore after other content is loaded. */
export interface RestorePosition {
  readonly entryId: string;
  /** Pixels of its article above the top edge. */
  readonly offset: number;
  /** The entry is to be shown and focused, not only kept in place. */
  readonly isTarget?: true;
}

/** Returns the estimated number of lines of each article, from one on. */
export function estimateLinesFrom({ groups }: ContextSnapshot, from = 0): number[] {
  return groups.slice(from).map((group) => estimateLines(group));
}

/** Returns the scroll position that keeps an entry in place, or the start of the nearest article. */
export function anchorAt(snapshot: ContextSnapshot, entryId: string, offset: number): ScrollAnchor | undefined {
  const index = nearestGroupIndex(snapshot, entryId);
  // Another article has another height.
  return index === undefined ? undefined : { index, offset: groupIndexOf(snapshot, entryId) === undefined ? 0 : offset };
}
