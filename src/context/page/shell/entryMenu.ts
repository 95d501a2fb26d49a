/** The editor's own menu on an entry, with the commands that its row in the Sessions view has. */
import type { PageHeader } from '../../shared/protocol';
import { iconButton } from '../ui/iconButton';
import type { PageContext } from './pageContext';

/** What the menu's commands get of an element, beside what `setMenuContext` says of the page: the value of its `data-vscode-context`. */
export function entryMenuContext(entryId: string, { hasText = true, isLabeled = false } = {}): string {
  // Where there is text, the menu can copy what is selected of it.
  return JSON.stringify({ webviewSection: 'entry', entryId, entryLabeled: isLabeled, ...(hasText ? {} : { preventDefaultContextMenuItems: true }) });
}

/** Says of the whole page what the menus of all entries need. What writes is only offered where something may be written. */
export function setMenuContext({ path, isWritable }: PageHeader): void {
  document.body.dataset['vscodeContext'] = JSON.stringify({ row: 'entry', path, sessionWritable: isWritable });
  document.body.classList.toggle('is-writable', isWritable);
}

/** Opens the menu of what it stands in, for those without a second button. */
export function menuButton({ strings }: PageContext): HTMLElement {
  const button = iconButton(strings.moreActions, 'more', (event) => {
    event.stopPropagation();
    const { left, bottom } = button.getBoundingClientRect();
    button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: left, clientY: bottom }));
  });
  button.ariaHasPopup = 'menu';
  return button;
}
