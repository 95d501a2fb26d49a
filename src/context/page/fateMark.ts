/** A word on a message that the model does not get as it stands. */
import type { ShownFate } from '../protocol';
import { h } from './dom';
import type { Room } from './room';

/** Where an edit put another text in, the mark leads to the original. */
export function fateMark(fate: ShownFate, entryId: string, room: Room): HTMLElement {
  const [name, sentence] = room.strings.fates[fate];
  if (fate !== 'edited') return fateWord(fate, room);
  return h('button', { class: 'fate', type: 'button', title: `${sentence} ${room.strings.original}`, onclick: () => toOriginal(entryId, room) }, name);
}

/** The word alone, for the line of a fold: a control has none in it. */
export function fateWord(fate: ShownFate, { strings }: Room): HTMLElement {
  const [name, sentence] = strings.fates[fate];
  return h('span', { class: 'fate', title: sentence }, name);
}

/** Shows what an edit replaced. */
export function toOriginal(entryId: string, room: Room): void {
  room.send({ type: 'go', entryId, view: 'transcript' });
}
