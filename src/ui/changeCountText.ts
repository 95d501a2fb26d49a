/** The number of files that would change by going to a point of a tree, in words. */
import * as vscode from 'vscode';

export function changeCountText(count: number): string {
  if (count === 0) return vscode.l10n.t('No files would change');
  return count === 1 ? vscode.l10n.t('1 file would change') : vscode.l10n.t('{0} files would change', count);
}
