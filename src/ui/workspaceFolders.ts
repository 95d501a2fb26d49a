/** The folders that are open in this window. */
import * as vscode from 'vscode';

/** Returns the paths under which they were opened. Virtual folders have none. */
export const workspaceFolderPaths = (): string[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
