/** A word on a message that the model does not get as it stands. */
import type { ShownStatus } from '../../shared/protocol';
import { h } from '../ui/dom';
import type { PageContext } from '../shell/pageContext';

/** Where an edit put another text in, the mark leads to the original. */
export function statusBadge(status: ShownStatus, entryId: string, context: PageContext): HTMLElement {
  const [name, sentence] = context.strings.statuses[status];
  if (status !== 'edited') return statusLabel(status, context);
  return h('button', { class: 'status-badge', type: 'button', title: `${sentence} ${context.strings.original}`, onclick: () => showOriginal(entryId, context) }, name);
}

/** The word alone, for the line of a fold: a control has none in it. */
export function statusLabel(status: ShownStatus, { strings }: PageContext): HTMLElement {
  const [name, sentence] = strings.statuses[status];
  return h('span', { class: 'status-badge', title: sentence }, name);
}

/** Shows what an edit replaced. */
export function showOriginal(entryId: string, context: PageContext): void {
  context.send({ type: 'go', entryId, view: 'transcript' });
}
