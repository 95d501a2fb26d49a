import * as vscode from 'vscode';

/**
 * Opens the extension's settings, or one of them. In a remote window most of them belong to the remote machine. Unless
 * asked for the machine's settings, the editor shows the user's, which lack them.
 *
 * @param name without the extension's prefix, such as `roots`
 */
export function openSettings(name?: string): Thenable<unknown> {
  const query = name === undefined ? '@ext:pi-session-tree.pi-session-tree' : `@id:sessionTree.${name}`;
  return vscode.env.remoteName === undefined
    ? vscode.commands.executeCommand('workbench.action.openSettings', query)
    : vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query, jsonEditor: false });
}
