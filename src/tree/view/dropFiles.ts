/** Opens or imports session files that are dropped on the view. */
import * as vscode from 'vscode';
import { isSessionName } from '../../core/index';
import { showInformation } from '../../ui/safe/messages';
import { basename, extname } from 'node:path';

/** Files that one drop opens; more are most likely a mistake. */
const MAX_FILES = 10;

export interface DropActions {
  /** Shows the session of a file, and its own errors. */
  readonly open: (path: string) => unknown;
  /** Imports files, and shows its own errors. Without a project it asks for one. */
  readonly importFiles: (paths: readonly string[], project: string | undefined) => unknown;
  /** Returns whether a file can be imported alone. */
  readonly needsImport: (path: string) => Promise<boolean>;
}

/** @param project the folder of the project whose row the files were dropped on: they are imported there. Elsewhere sessions open. */
export async function dropFiles(transfer: vscode.DataTransfer, project: string | undefined, actions: DropActions): Promise<void> {
  const list = (await transfer.get('text/uri-list')?.asString()) ?? '';
  const uris = list.split(/\r?\n/).flatMap((line) => (line === '' || line.startsWith('#') ? [] : (parsed(line) ?? [])));
  for (const [, item] of transfer) {
    const uri = item.asFile()?.uri;
    if (uri) uris.push(uri);
  }
  const paths = new Set(uris.filter(isOnThisMachine).map(({ fsPath }) => fsPath));
  const files = [...paths].filter((path) => isSessionName(basename(path)) || extname(path) === '.html').slice(0, MAX_FILES);
  const toImport: string[] = [];
  for (const path of files) {
    if (project !== undefined || extname(path) === '.html' || (await actions.needsImport(path))) toImport.push(path);
    else await actions.open(path);
  }
  if (toImport.length > 0) await actions.importFiles(toImport, project);
  if (paths.size > 0 && files.length === 0) {
    void showInformation(vscode.l10n.t('Drop a session file (.jsonl) here to open it, or on a project to import it.'));
  }
}

/**
 * The authority of a file's address is another computer, which must not be contacted. In a remote window the authority
 * is this computer.
 */
const isOnThisMachine = ({ scheme, authority }: vscode.Uri): boolean =>
  (scheme === 'file' && authority === '') || scheme === 'vscode-remote';

/** Returns `undefined` for an address that the editor refuses. */
function parsed(address: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(address);
  } catch {
    return undefined;
  }
}
