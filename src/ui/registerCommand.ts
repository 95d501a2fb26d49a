/** Commands of ours, as the editor runs them. */
import * as vscode from 'vscode';
import { uiError } from '../core/index';

/** As `vscode.commands.registerCommand`. The editor shows in a notification what a command rejects with when a key, a menu or a link ran it. */
export function registerCommand(id: string, run: (...args: never[]) => unknown): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: never[]) => {
    try {
      return await run(...args);
    } catch (error) {
      throw uiError(error);
    }
  });
}
