/** A session dragged into an editor, a terminal or a chat is its file. */
import * as vscode from 'vscode';
import type { ViewRow } from './rows';

export function handleDrag(rows: readonly ViewRow[], transfer: vscode.DataTransfer): void {
  const files = rows.flatMap((row) => (row.row === 'session' || row.row === 'unreadable' ? [vscode.Uri.file(row.path).toString()] : []));
  if (files.length > 0) transfer.set('text/uri-list', new vscode.DataTransferItem(files.join('\r\n')));
}
