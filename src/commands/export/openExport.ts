/** Opens an exported file. */
import * as vscode from 'vscode';
import { isLocalWindow } from '../../ui/localWindow';

/** Opens an exported file: a page in the browser if that is on this machine, any other file in the editor. */
export async function openExport(path: string): Promise<void> {
  const uri = vscode.Uri.file(path);
  if (/\.html?$/i.test(path) && isLocalWindow()) await vscode.env.openExternal(uri);
  else await vscode.commands.executeCommand('vscode.open', uri);
}
