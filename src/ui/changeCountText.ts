/** The number of files that would change by going to a point of a tree, in words. */
import * as vscode from 'vscode';

export function changeCountText(count: number): string {
  if (count === 0) return vscode.l10n.t('Going there would change no files');
  return count === 1 ? vscode.l10n.t('Going there would change 1 file') : vscode.l10n.t('Going there would change {0} files', count);
}
