/** The commands behind F2 and Delete: each key runs the one that fits the focused rows, the same that their menus have. */
import * as vscode from 'vscode';
import type { RowKey } from '../../contract';
import type { ViewRow } from '../rows/viewRows';

/** Runs the command of a key on rows; nothing if it doesn't apply to them. */
export function runRowKey(key: RowKey, rows: readonly ViewRow[]): unknown {
  return key === 'rename' ? rows[0] && renameRow(rows[0]) : deleteRows(rows);
}

/** Sessions get names, entries get labels. */
function renameRow(row: ViewRow): unknown {
  if (row.row === 'session') return vscode.commands.executeCommand('sessionTree.rename', row);
  return row.row === 'entry' || row.row === 'branch' ? vscode.commands.executeCommand('sessionTree.label', row) : undefined;
}

/** Deletes pending changes, else sessions. Other selected rows are ignored. For entries, the command asks whether to delete their session. */
function deleteRows(rows: readonly ViewRow[]): unknown {
  const rowsOf = (...kinds: readonly ViewRow['row'][]): readonly ViewRow[] => rows.filter(({ row }) => kinds.includes(row));
  const [waiting] = rowsOf('waiting');
  if (waiting) return vscode.commands.executeCommand('sessionTree.dropWaiting', waiting, rowsOf('waiting'));
  const sessions = rowsOf('session', 'unreadable');
  const targets = sessions.length > 0 ? sessions : rowsOf('entry', 'branch');
  return targets.length > 0 ? vscode.commands.executeCommand('sessionTree.delete', targets[0], targets) : undefined;
}
