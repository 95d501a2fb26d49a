/** A word on a message that the model does not get as it stands. */
import type { ShownFate } from '../protocol';
import { h } from './dom';
import type { Room } from './room';

/** Where an edit put another text in, the mark leads to the original. */
export function fateMark(fate: ShownFate, entryId: string, room: Room): HTMLElement {
  const [name, sentence] = room.strings.fates[fate];
  if (fate !== 'edited') return h('span', { class: 'fate', title: sentence }, name);
  const show = (event: Event): void => {
    event.preventDefault();
    room.send({ type: 'go', entryId, view: 'transcript' });
  };
  return h('button', { class: 'fate', type: 'button', title: `${sentence} ${room.strings.original}`, onclick: show }, name);
}
