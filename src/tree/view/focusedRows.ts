/** Finds the rows that a key applies to: for keybindings, the editor passes no row, and a view exposes only its selection. */
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';

/** While the editor requests rows again, the selection lacks them. No event reports the end of it. */
const RETRY_MS = 50;
/** Two seconds, which is more than any view needs for its rows. */
const ATTEMPTS = 40;

/**
 * Returns the focused row of the view that has the keyboard, or the whole selection if that contains the row. Arrow keys
 * move the focus without the selection. Toggling the selection twice reveals the focus: the focused row is added and
 * removed again, or the other way around. Anything else means that rows were replaced meanwhile, so it's tried again.
 *
 * @returns an empty array if no row has the focus
 */
export async function focusedRows<T>(view: Pick<vscode.TreeView<T>, 'selection'>, pause = RETRY_MS): Promise<readonly T[]> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await delay(pause);
    const before = view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const toggled = view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const added = without(toggled, before);
    const removed = without(before, toggled);
    const isRestored = without(view.selection, before).length === 0 && without(before, view.selection).length === 0;
    if (isRestored && added.length + removed.length === 1) return added.length > 0 ? added : before;
  }
  return [];
}

const without = <T>(rows: readonly T[], others: readonly T[]): T[] => rows.filter((row) => !others.includes(row));
