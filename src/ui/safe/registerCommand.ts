/** Registration of commands whose errors are safe to show. */
import * as vscode from 'vscode';
import { uiError } from '../../core/index';

/** Like `vscode.commands.registerCommand`, with safe error messages: the editor shows a rejection in a notification if a key, a menu or a link ran the command. */
export function registerCommand(id: string, run: (...args: never[]) => unknown): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: never[]) => {
    try {
      return await run(...args);
    } catch (error) {
      throw uiError(error);
    }
  });
}
