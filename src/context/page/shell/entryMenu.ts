/** The context menu of an entry, with the same commands as its row in the Sessions view. */
import { t } from '../../shared/localization';
import type { PageHeader } from '../../shared/protocol';
import { iconButton } from '../ui/iconButton';
import type { PageContext } from './pageContext';

/**
 * Returns the value of an element's `data-vscode-context`. The menu's commands receive it merged with what
 * `setMenuContext` sets for the page.
 */
export function entryMenuContext(entryId: string, { isLabeled = false } = {}): string {
  return JSON.stringify({ webviewSection: 'entry', entryId, entryLabeled: isLabeled });
}

/**
 * Sets the part of the menu context that all entries share. Commands that write are hidden for read-only sessions. The
 * webview's own menu is replaced: it offers Cut and Paste, which text that can't be changed doesn't have.
 */
export function setMenuContext({ path, isWritable }: PageHeader): void {
  const show = (): void => {
    const hasSelection = document.getSelection()?.isCollapsed === false;
    const shared = { row: 'entry', path, sessionWritable: isWritable, hasSelection, preventDefaultContextMenuItems: true };
    document.body.dataset['vscodeContext'] = JSON.stringify(shared);
  };
  document.onselectionchange = show;
  show();
  document.body.classList.toggle('is-writable', isWritable);
}

/** The menu context of an input, which has the usual menu. */
export const INPUT_MENU_CONTEXT = JSON.stringify({ webviewSection: 'input', preventDefaultContextMenuItems: false });

/** Returns a button that opens the context menu of its element, for users without a second mouse button; none without a menu. */
export function menuButton({ hasMenus }: PageContext): HTMLElement[] {
  if (!hasMenus) return [];
  const button = iconButton(t('More Actions…'), 'more', (event) => {
    event.stopPropagation();
    const { left, bottom } = button.getBoundingClientRect();
    button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: left, clientY: bottom }));
  });
  button.ariaHasPopup = 'menu';
  return [button];
}
