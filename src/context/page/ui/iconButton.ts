/** A button that shows an icon and says its name to those who ask: on hover, and to a screen reader. */
import { h } from './dom';
import { icon, type IconName } from './icons';

export function iconButton(name: string, glyph: IconName, onclick: (event: Event) => void): HTMLButtonElement {
  return h('button', { class: 'icon-button', type: 'button', title: name, 'aria-label': name, onclick }, icon(glyph));
}
