/** Opens session files that are dropped on the view. */
import * as vscode from 'vscode';
import { isSessionName } from '../../core/index';
import { showInformation } from '../../ui/messages';
import { basename } from 'node:path';

/** Files that one drop opens; more are most likely a mistake. */
const MAX_FILES = 10;

/** @param open shows the session of a file, and its own errors */
export async function dropFiles(transfer: vscode.DataTransfer, open: (path: string) => unknown): Promise<void> {
  const list = (await transfer.get('text/uri-list')?.asString()) ?? '';
  const uris = list.split(/\r?\n/).flatMap((line) => (line === '' || line.startsWith('#') ? [] : [vscode.Uri.parse(line)]));
  for (const [, item] of transfer) {
    const uri = item.asFile()?.uri;
    if (uri) uris.push(uri);
  }
  const paths = new Set(uris.filter(({ scheme }) => scheme === 'file' || scheme === 'vscode-remote').map(({ fsPath }) => fsPath));
  const sessions = [...paths].filter((path) => isSessionName(basename(path))).slice(0, MAX_FILES);
  for (const path of sessions) await open(path);
  if (paths.size > 0 && sessions.length === 0) void showInformation(vscode.l10n.t('Drop a session file (.jsonl) here to open it.'));
}
