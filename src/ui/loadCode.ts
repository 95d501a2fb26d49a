/** Loading of code that the start doesn't need. */
import * as vscode from 'vscode';

let isReloadOffered = false;

/**
 * Resolves to what `load` imports, in another turn of the event loop: loading code is a task of ten milliseconds or more,
 * and running it is another task. If loading is impossible, for example because an update has removed the files of this
 * version, a message offers to reload the window; until it's closed, there's no second one.
 *
 * @param onError receives the reason, for the log.
 * @throws {vscode.CancellationError} if loading is impossible; no further message is shown for it.
 */
export async function loadCode<T>(load: () => Promise<T>, onError: (reason: unknown, doing: string) => void): Promise<T> {
  try {
    const code = await load();
    await new Promise((resolve) => setImmediate(resolve));
    return code;
  } catch (reason) {
    onError(reason, 'loading a part of the extension');
    void offerReload();
    throw new vscode.CancellationError();
  }
}

/** True for the error of a part of the extension whose file is gone, such as a thread's, or one that the core loads itself. */
export const isMissingCode = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';

/** Returns a function that makes something once. If that fails, its next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Shows the message that a part of the extension is missing, unless it's shown already. */
export async function offerReload(): Promise<void> {
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
