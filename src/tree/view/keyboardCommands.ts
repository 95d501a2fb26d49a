/** Commands that keys run on the focused rows, equivalent to those in the rows' menus. */
import * as vscode from 'vscode';
import { registerCommand } from '../../ui/registerCommand';
import type { ViewRow } from '../rows/viewRows';

const RENAME_COMMAND = 'sessionTree.rows.rename';
const DELETE_COMMAND = 'sessionTree.rows.delete';

/** @param focused returns the rows that the key applies to */
export function registerKeyboardCommands(focused: () => Promise<readonly ViewRow[]>): vscode.Disposable {
  const key = (command: string, run: (rows: readonly ViewRow[]) => unknown): vscode.Disposable =>
    registerCommand(command, async () => run(await focused()));
  return vscode.Disposable.from(
    key(RENAME_COMMAND, ([row]) => row && renameRow(row)),
    key(DELETE_COMMAND, deleteRows),
  );
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
