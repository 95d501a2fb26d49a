/** Opens a session that is dragged into the editor area as its read-only file. */
import * as vscode from 'vscode';
import type { ViewRow } from '../rows/viewRows';

/** @param rawUri returns the URI of the read-only document of a session's file */
export function handleDrag(rows: readonly ViewRow[], transfer: vscode.DataTransfer, rawUri: (path: string) => vscode.Uri): void {
  const files = rows.flatMap((row) => (row.row === 'session' || row.row === 'unreadable' ? [rawUri(row.path).toString()] : []));
  if (files.length > 0) transfer.set('text/uri-list', new vscode.DataTransferItem(files.join('\r\n')));
}
