/** Finds the next and previous navigation target of a kind. */
import type { TargetKind, ReadingPosition } from '../shared/protocol';
import type { PlannedSlot, ContextSnapshot } from './contextSnapshot';

/** The index of an article, and an entry in it. */
interface NavigationTarget {
  readonly index: number;
  readonly entryId: string;
}

/** Returns the nearest target of the kind after (1) or before (-1) a position; `undefined` if there is none. */
export function findTarget(snapshot: ContextSnapshot, kind: TargetKind, by: 1 | -1, from: ReadingPosition): NavigationTarget | undefined {
  const { slots, groups } = snapshot;
  const at = slotAt(snapshot, from);
  // An entry may contain several messages; it is one target.
  const isTarget = (slot: PlannedSlot, index: number): boolean =>
    IS_TARGET[kind](slot, snapshot) && slots[index - 1]?.entryId !== slot.entryId;
  let index = by === 1 ? Math.floor(at) + 1 : Math.ceil(at) - 1;
  for (let slot = slots[index]; slot; slot = slots[(index += by)])
    if (isTarget(slot, index)) return { index: groups.findIndex(({ to }) => index < to), entryId: slot.entryId };
  return undefined;
}

/** Returns the slot at a position; a half number if the position is between two articles. */
function slotAt({ slots, groups }: ContextSnapshot, { position, entryId }: ReadingPosition): number {
  const exact = entryId === undefined ? -1 : slots.findIndex((slot) => slot.entryId === entryId);
  if (exact >= 0) return exact;
  const next = groups[Math.ceil(position)];
  const before = next ? next.from : slots.length;
  return Number.isInteger(position) && next ? before : before - 0.5;
}

const IS_TARGET: Readonly<Record<TargetKind, (slot: PlannedSlot, snapshot: ContextSnapshot) => boolean>> = {
  user: ({ role, isEntryRow }) => role === 'user' && !isEntryRow,
  error: ({ entryId, isEntryRow }, { session }) => !isEntryRow && session.byId.get(entryId)?.isError === true,
  label: ({ label }) => label !== undefined,
  cut: ({ entryId }, { session }) => ['compaction', 'reset_boundary'].includes(session.byId.get(entryId)?.type ?? ''),
};
