/** Marks the session's leaf with a badge, which stays visible however long the row's text is. */
import * as vscode from 'vscode';

const SCHEME = 'session-tree-row';
export const LEAF_URI = vscode.Uri.from({ scheme: SCHEME, path: '/leaf' });

export function registerLeafDecoration(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) =>
      uri.scheme === SCHEME
        ? new vscode.FileDecoration('●', vscode.l10n.t('Current leaf: the session continues here'), new vscode.ThemeColor('charts.green'))
        : undefined,
  });
}
