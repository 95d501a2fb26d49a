/** The context menu of an entry, with the same commands as its row in the Sessions view. */
import type { PageHeader } from '../../shared/protocol';
import { iconButton } from '../ui/iconButton';
import type { PageContext } from './pageContext';

/**
 * Returns the value of an element's `data-vscode-context`. The menu's commands receive it merged with what
 * `setMenuContext` sets for the page.
 */
export function entryMenuContext(entryId: string, { hasText = true, isLabeled = false } = {}): string {
  // On elements with text, the menu can also copy the selection.
  return JSON.stringify({
    webviewSection: 'entry',
    entryId,
    entryLabeled: isLabeled,
    ...(hasText ? {} : { preventDefaultContextMenuItems: true }),
  });
}

/** Sets the part of the menu context that all entries share. Commands that write are hidden for read-only sessions. */
export function setMenuContext({ path, isWritable }: PageHeader): void {
  document.body.dataset['vscodeContext'] = JSON.stringify({ row: 'entry', path, sessionWritable: isWritable });
  document.body.classList.toggle('is-writable', isWritable);
}

/** A button that opens the context menu of its element, for users without a second mouse button. */
export function menuButton({ strings }: PageContext): HTMLElement {
  const button = iconButton(strings.moreActions, 'more', (event) => {
    event.stopPropagation();
    const { left, bottom } = button.getBoundingClientRect();
    button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: left, clientY: bottom }));
  });
  button.ariaHasPopup = 'menu';
  return button;
}
