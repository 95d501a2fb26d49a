/** The URI of the active editor. */
import * as vscode from 'vscode';
import { RAW_SCHEME } from '../../contract';

/** Returns the URI of the active tab; for a diff the URI of the right side, and `undefined` for other kinds of tabs. */
export function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook)
    return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** Returns whether a URI names a file on the machine that the extension and the sessions are on. Then `fsPath` is its path. */
export const isOnDisk = (uri: vscode.Uri): boolean => uri.scheme === 'file' || uri.scheme === RAW_SCHEME;
