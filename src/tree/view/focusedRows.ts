/** Finds the rows that a key applies to: for keybindings, the editor passes no row, and a view exposes only its selection. */
import * as vscode from 'vscode';

/**
 * Returns the focused row of the view that has the keyboard, or the whole selection if that contains the row. Arrow keys
 * move the focus without the selection. Toggling the selection for a moment reveals the focus: the focused row is added,
 * or removed.
 */
export async function focusedRows<T>(view: Pick<vscode.TreeView<T>, 'selection'>): Promise<readonly T[]> {
  const before = view.selection;
  await vscode.commands.executeCommand('list.toggleSelection');
  const focused = view.selection.filter((row) => !before.includes(row));
  await vscode.commands.executeCommand('list.toggleSelection');
  return focused.length > 0 ? focused : before;
}
