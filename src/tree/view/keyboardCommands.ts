/** What keys do with the rows that have the focus: as if it were chosen from the menu of the row. */
import * as vscode from 'vscode';
import { registerCommand } from '../../ui/registerCommand';
import type { ViewRow } from '../rows/viewRows';

const RENAME_COMMAND = 'sessionTree.rows.rename';
const DELETE_COMMAND = 'sessionTree.rows.delete';

/** `focused`: the rows that a key is meant for. */
export function registerKeyboardCommands(focused: () => Promise<readonly ViewRow[]>): vscode.Disposable {
  const key = (command: string, run: (rows: readonly ViewRow[]) => unknown): vscode.Disposable => registerCommand(command, async () => run(await focused()));
  return vscode.Disposable.from(
    key(RENAME_COMMAND, ([row]) => row && renameRow(row)),
    key(DELETE_COMMAND, deleteRows),
  );
}

/** Sessions have names, and entries labels. */
function renameRow(row: ViewRow): unknown {
  if (row.row === 'session') return vscode.commands.executeCommand('sessionTree.rename', row);
  return row.row === 'entry' || row.row === 'branch' ? vscode.commands.executeCommand('sessionTree.label', row) : undefined;
}

/** Where rows can be deleted others that are selected with them are let be; of an entry it is asked whether its session is meant. */
function deleteRows(rows: readonly ViewRow[]): unknown {
  const of = (...kinds: readonly ViewRow['row'][]): readonly ViewRow[] => rows.filter(({ row }) => kinds.includes(row));
  const [waiting] = of('waiting');
  if (waiting) return vscode.commands.executeCommand('sessionTree.dropWaiting', waiting, of('waiting'));
  const sessions = of('session', 'unreadable');
  const meant = sessions.length > 0 ? sessions : of('entry', 'branch');
  return meant.length > 0 ? vscode.commands.executeCommand('sessionTree.delete', meant[0], meant) : undefined;
}
