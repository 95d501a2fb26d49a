/** Which rows a key is meant for. From the keyboard the editor hands over no row, and of a view it tells the selection alone. */
import * as vscode from 'vscode';

/**
 * The row that has the focus of a view that has the keyboard; the whole selection, if that row is a part of it. Arrow keys
 * move the focus and leave the selection behind. Where the focus is shows when it is put into the selection, or taken
 * out of it, for a moment.
 */
export async function focusedRows<T>(view: Pick<vscode.TreeView<T>, 'selection'>): Promise<readonly T[]> {
  const before = view.selection;
  await vscode.commands.executeCommand('list.toggleSelection');
  const focused = view.selection.filter((row) => !before.includes(row));
  await vscode.commands.executeCommand('list.toggleSelection');
  return focused.length > 0 ? focused : before;
}
