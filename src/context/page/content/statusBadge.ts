/** A word on a message that the model does not get as it stands. */
import type { ShownStatus } from '../../shared/protocol';
import { h } from '../ui/dom';
import type { PageContext } from '../shell/pageContext';

/** Where an edit put another text in, the mark leads to the original. */
export function statusBadge(fate: ShownStatus, entryId: string, room: PageContext): HTMLElement {
  const [name, sentence] = room.strings.statuses[fate];
  if (fate !== 'edited') return statusLabel(fate, room);
  return h('button', { class: 'status-badge', type: 'button', title: `${sentence} ${room.strings.original}`, onclick: () => showOriginal(entryId, room) }, name);
}

/** The word alone, for the line of a fold: a control has none in it. */
export function statusLabel(fate: ShownStatus, { strings }: PageContext): HTMLElement {
  const [name, sentence] = strings.statuses[fate];
  return h('span', { class: 'status-badge', title: sentence }, name);
}

/** Shows what an edit replaced. */
export function showOriginal(entryId: string, room: PageContext): void {
  room.send({ type: 'go', entryId, view: 'transcript' });
}
