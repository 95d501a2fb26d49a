import * as vscode from 'vscode';

/**
 * Opens the extension's settings, or one of them. In a remote window most of them belong to the remote machine, and the
 * editor shows those of the user, where they are missing, unless asked for the machine's.
 *
 * @param name without the extension's prefix, such as `roots`
 */
export function openSettings(name?: string): Thenable<unknown> {
  const query = name === undefined ? '@ext:pi-session-tree.pi-session-tree' : `@id:sessionTree.${name}`;
  return vscode.env.remoteName === undefined
    ? vscode.commands.executeCommand('workbench.action.openSettings', query)
    : vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query, jsonEditor: false });
}
