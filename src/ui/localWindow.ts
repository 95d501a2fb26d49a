/** The window and the extension on one machine, or not. */
import * as vscode from 'vscode';

/** Returns true if the extension's files are on the machine of the window: not in a remote window or a browser. */
export function isLocalWindow(): boolean {
  return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}
