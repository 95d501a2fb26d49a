/**
 * The commands for F2, Delete, Ctrl+C and Ctrl+Enter: each key runs the command that fits the focused rows, the same
 * one as in their menus.
 */
import * as vscode from 'vscode';
import type { RowKey } from '../../contract';
import type { ViewRow } from '../rows/viewRows';

const KEYS: Readonly<Record<RowKey, (first: ViewRow, rows: readonly ViewRow[]) => unknown>> = {
  rename: renameRow,
  delete: (_, rows) => deleteRows(rows),
  copy: (_, rows) => copyRows(rows),
  openToSide: openToSide,
  tag: (_, rows) => runOn('sessionTree.tag', rowsOf(rows, 'session')),
  note: (_, rows) => runOn('sessionTree.note', rowsOf(rows, 'session')),
};

/** Runs the command of a key on rows; nothing if it doesn't apply to them. */
export function runRowKey(key: RowKey, rows: readonly ViewRow[]): unknown {
  return rows[0] && KEYS[key](rows[0], rows);
}

/** Sessions get names, entries get labels. */
function renameRow(row: ViewRow): unknown {
  if (row.row === 'session') return vscode.commands.executeCommand('sessionTree.rename', row);
  return row.row === 'entry' || row.row === 'branch' ? vscode.commands.executeCommand('sessionTree.label', row) : undefined;
}

/** Deletes pending changes, else sessions. Other selected rows are ignored. For entries, the command asks whether to delete their session. */
function deleteRows(rows: readonly ViewRow[]): unknown {
  const waiting = rowsOf(rows, 'waiting');
  if (waiting.length > 0) return runOn('sessionTree.dropWaiting', waiting);
  const sessions = rowsOf(rows, 'session', 'unreadable');
  return runOn('sessionTree.delete', sessions.length > 0 ? sessions : rowsOf(rows, 'entry', 'branch'));
}

/** Copies the texts of entries, else the paths of files and folders, as the Explorer does. */
function copyRows(rows: readonly ViewRow[]): unknown {
  const entries = rowsOf(rows, 'entry', 'branch');
  return entries.length > 0
    ? runOn('sessionTree.copyText', entries)
    : runOn('sessionTree.copyPath', rowsOf(rows, 'session', 'unreadable', 'project'));
}

function openToSide(row: ViewRow): unknown {
  return runOn('sessionTree.showContextToSide', rowsOf([row], 'session', 'entry', 'branch'));
}

const rowsOf = (rows: readonly ViewRow[], ...kinds: readonly ViewRow['row'][]): readonly ViewRow[] =>
  rows.filter(({ row }) => kinds.includes(row));

/** Runs a command on rows as their menu does; nothing without rows. */
const runOn = (command: string, rows: readonly ViewRow[]): unknown =>
  rows.length > 0 ? vscode.commands.executeCommand(command, rows[0], rows) : undefined;
