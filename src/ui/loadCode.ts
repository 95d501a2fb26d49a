/** Loading of code that the start doesn't need. */
import * as vscode from 'vscode';

let isReloadOffered = false;

/**
 * Resolves to what `load` imports. If that's impossible, for example because an update has removed the files of this
 * version, a message offers to reload the window; until it's closed, there's no second one.
 *
 * @param report receives the reason, for the log.
 * @throws {vscode.CancellationError} then, for which nothing shows a further message.
 */
export async function loadCode<T>(load: () => Promise<T>, report: (reason: unknown) => void): Promise<T> {
  try {
    return await load();
  } catch (reason) {
    report(reason);
    void offerReload();
    throw new vscode.CancellationError();
  }
}

async function offerReload(): Promise<void> {
  if (isReloadOffered) return;
  isReloadOffered = true;
  const reload = vscode.l10n.t('Reload Window');
  const text = vscode.l10n.t('A part of this extension couldn’t be loaded, perhaps because the extension was updated. Reload the window.');
  try {
    if ((await vscode.window.showErrorMessage(text, reload)) === reload)
      await vscode.commands.executeCommand('workbench.action.reloadWindow');
  } finally {
    isReloadOffered = false;
  }
}
