/** Applies lines in file order to the leaf, where the programs continue, and to the labels. */
import type { EntryHead } from '../entry/entryHead';
import { resolveLeafLine } from './leafLine';

export interface LeafAndLabels {
  leafId: string | null;
  labels: Map<string, string>;
}

/** Applies one line to the leaf and the labels, and records the parent for the children of a `leaf` line. */
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
  applyLabel(state.labels, head);
}

/** Applies one line to the labels. */
export function applyLabel(labels: Map<string, string>, head: Pick<EntryHead, 'type' | 'targetId' | 'label'>): void {
  if (head.type !== 'label' || typeof head.targetId !== 'string') return;
  if (head.label === undefined) labels.delete(head.targetId);
  else labels.set(head.targetId, head.label);
}
