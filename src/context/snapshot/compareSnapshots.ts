/** Compares snapshots, so that only what differs is sent to the page. */
import { headsOf } from '../../core/format/linking/headsById';
import type { EntryHead } from '../../core/format/entry/entryHead';
import type { Session } from '../../core/format/session/session';
import type { ContextSnapshot, PlannedSlot } from './contextSnapshot';

/** Returns the index of the first group that differs; the number of groups if none does. */
export function firstDifference(before: ContextSnapshot, after: ContextSnapshot): number {
  if (before === after) return after.groups.length;
  // A rewritten file may have different content of the same size.
  if (firstEntry(before.session) !== firstEntry(after.session)) return 0;
  const limit = Math.min(before.groups.length, after.groups.length);
  for (let i = 0; i < limit; i++) {
    const [a, b] = [before.groups[i], after.groups[i]];
    if (!a || !b || a.key !== b.key || a.to - a.from !== b.to - b.from) return i;
    for (let k = 0; k < a.to - a.from; k++) if (!sameSlot(before.slots[a.from + k], after.slots[b.from + k])) return i;
  }
  return limit;
}

/** Returns the previous leaf, if it still exists but is no longer on the branch that ends at the new leaf. */
export function abandonedLeaf(before: ContextSnapshot, after: ContextSnapshot): string | undefined {
  const { leafId } = before.plan;
  if (leafId === null || after.session.path !== before.session.path) return undefined;
  const stillThere = after.places[before.places.length - 1];
  if (stillThere !== undefined && headsOf(after.session).idAt(stillThere) === leafId) return undefined;
  return after.session.byId.has(leafId) ? leafId : undefined;
}

/**
 * Returns a session's first head; `undefined` if it has no entries. It's the same object if only lines that were appended have
 * been read since. Makes no other head.
 */
export const firstEntry = ({ byId }: Session): EntryHead | undefined => byId.values().next().value;

function sameSlot(a: PlannedSlot | undefined, b: PlannedSlot | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.entryId === b.entryId &&
    a.role === b.role &&
    a.bytes === b.bytes &&
    a.label === b.label &&
    a.step.editId === b.step.editId &&
    a.promptIds?.join('\n') === b.promptIds?.join('\n') &&
    a.nth === b.nth &&
    a.contextStatus === b.contextStatus &&
    a.isEntryRow === b.isEntryRow
  );
}
