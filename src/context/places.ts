/** The places of a session that people look for: the next and the previous of each kind, over all that is shown. */
import type { PlaceKind, Stand } from './protocol';
import type { PlannedSlot, Reading } from './reading';

/** An article, and the entry in it. */
export interface Place {
  readonly index: number;
  readonly entryId: string;
}

/** @returns the nearest place of the kind after (1) or before (-1) where one stands; `undefined` if there is none. */
export function placeFrom(reading: Reading, kind: PlaceKind, by: 1 | -1, stand: Stand): Place | undefined {
  const { slots, groups } = reading;
  const at = slotAt(reading, stand);
  // An entry may bring several messages; it is one place.
  const isPlace = (slot: number): boolean => IS[kind](slots[slot]!, reading) && slots[slot - 1]?.entryId !== slots[slot]!.entryId;
  let slot = by === 1 ? Math.floor(at) + 1 : Math.ceil(at) - 1;
  while (slot >= 0 && slot < slots.length && !isPlace(slot)) slot += by;
  const found = slots[slot];
  return found && { index: groups.findIndex(({ to }) => slot < to), entryId: found.entryId };
}

/** Which slot one stands at; between two of them if one stands between two articles. */
function slotAt({ slots, groups }: Reading, { position, entryId }: Stand): number {
  const exact = entryId === undefined ? -1 : slots.findIndex((slot) => slot.entryId === entryId);
  if (exact >= 0) return exact;
  const next = groups[Math.ceil(position)];
  const before = next ? next.from : slots.length;
  return Number.isInteger(position) && next ? before : before - 0.5;
}

const IS: Readonly<Record<PlaceKind, (slot: PlannedSlot, reading: Reading) => boolean>> = {
  user: ({ role, thin }) => role === 'user' && !thin,
  error: ({ entryId, thin }, { session }) => !thin && session.byId.get(entryId)?.isError === true,
  label: ({ label }) => label !== undefined,
  cut: ({ entryId }, { session }) => ['compaction', 'reset_boundary'].includes(session.byId.get(entryId)?.type ?? ''),
};
