/**
 * Badges at the right edge of rows, which stay visible however long the row's text is. They are file decorations: a row
 * gets one by the URI of its item, which names the badge and no file. Rows with equal badges share a URI.
 */
import * as vscode from 'vscode';
import { ageBadge } from './ageBadge';

const SCHEME = 'session-tree-row';
const AGE = '/age/';

/** Marks the session's leaf. */
export const LEAF_URI = vscode.Uri.from({ scheme: SCHEME, path: '/leaf' });

/** Marks the entry whose files are on the disk. */
export const FILES_URI = vscode.Uri.from({ scheme: SCHEME, path: '/files' });

/** Marks an age. @param time milliseconds since 1970 @returns `undefined` if `time` is unknown */
export function ageUri(time: number, now: number): vscode.Uri | undefined {
  const badge = ageBadge(time, now);
  return badge === '' ? undefined : vscode.Uri.from({ scheme: SCHEME, path: `${AGE}${badge}` });
}

export function registerRowBadges(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) => (uri.scheme === SCHEME ? badgeOf(uri) : undefined),
  });
}

function badgeOf({ path }: vscode.Uri): vscode.FileDecoration {
  if (path.startsWith(AGE)) return new vscode.FileDecoration(path.slice(AGE.length));
  if (path === FILES_URI.path)
    return new vscode.FileDecoration('▤', vscode.l10n.t('Files were restored to this point, and are unchanged since.'));
  return new vscode.FileDecoration('●', vscode.l10n.t('Current leaf: the session continues here'), new vscode.ThemeColor('charts.green'));
}
