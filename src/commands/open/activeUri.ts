/** What the active editor shows. */
import * as vscode from 'vscode';
import { RAW_SCHEME } from '../../contract';

/** Of a comparison, the right side. */
export function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** On the machine that the extension runs on, which is where the sessions are. Its path is `fsPath`. */
export const isOnDisk = (uri: vscode.Uri): boolean => uri.scheme === 'file' || uri.scheme === RAW_SCHEME;
