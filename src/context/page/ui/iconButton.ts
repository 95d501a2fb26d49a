/** A button with an icon. Its name is the tooltip and the accessible name. */
import { h } from './dom';
import { icon, type IconName } from './icons';

export function iconButton(name: string, glyph: IconName, onclick: (event: Event) => void): HTMLButtonElement {
  return h('button', { class: 'icon-button', type: 'button', title: name, 'aria-label': name, onclick }, icon(glyph));
}
