/** What each line moves on: where the programs would go on, and the labels. */
import type { EntryHead } from './head';
import { readLeafLine } from './leafLine';

export interface LeafAndLabels {
  leafId: string | null;
  labels: Map<string, string>;
}

/** Moves the leaf and the labels on by one line, and notes where a `leaf` line's children belong. */
export function move(state: LeafAndLabels, head: EntryHead, known: { has(id: string): boolean }, leafTargets: Map<string, string | null>): void {
  if (head.type === 'leaf') {
    const { attach, leafId } = readLeafLine(head, known, leafTargets);
    leafTargets.set(head.id, attach);
    if (leafId !== undefined) state.leafId = leafId;
    return;
  }
  if (!head.side) state.leafId = head.id;
  labelled(state.labels, head);
}

/** Moves the labels on. */
export function labelled(labels: Map<string, string>, head: EntryHead): void {
  if (head.type !== 'label' || typeof head.targetId !== 'string') return;
  if (head.label === undefined) labels.delete(head.targetId);
  else labels.set(head.targetId, head.label);
}
