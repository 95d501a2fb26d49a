/** The order of work between the extension and its window. */
import * as vscode from 'vscode';

/** A context key that nothing reads. */
const KEY = 'sessionTree.windowTurn';

/**
 * Resolves when the window has handled everything that it was sent before, such as rows. The answer to a command is the
 * only sign of it: messages are handled in their order.
 */
export async function windowTurn(): Promise<void> {
  await vscode.commands.executeCommand('setContext', KEY, true);
}
