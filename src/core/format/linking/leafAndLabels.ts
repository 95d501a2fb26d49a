/** Applies lines in file order to the leaf, where the programs continue, to the labels, and to the archived entries. */
import type { EntryHead } from '../entry/entryHead';
import { resolveLeafLine } from './leafLine';

export interface LeafAndLabels {
  leafId: string | null;
  labels: Map<string, string>;
  archived: Set<string>;
}

/** Applies one line to the leaf, the labels and the archived entries, and records the parent for the children of a `leaf` line. */
export function applyEntry(
  state: LeafAndLabels,
  head: EntryHead,
  known: { has(id: string): boolean },
  leafTargets: Map<string, string | null>,
): void {
  if (head.type === 'leaf') {
    const { parentOfChildren: attach, leafId } = resolveLeafLine(head, known, leafTargets);
    leafTargets.set(head.id, attach);
    if (leafId !== undefined) state.leafId = leafId;
    return;
  }
  if (!head.side) state.leafId = head.id;
  applyMarks(state, head);
}

/** Applies one line to the labels and the archived entries. */
export function applyMarks({ labels, archived }: Pick<LeafAndLabels, 'labels' | 'archived'>, head: EntryHead): void {
  const { type, targetId, label, archives } = head;
  if (typeof targetId !== 'string') return;
  if (type === 'label') {
    if (label === undefined) labels.delete(targetId);
    else labels.set(targetId, label);
  }
  if (archives === true) archived.add(targetId);
  if (archives === false) archived.delete(targetId);
}
