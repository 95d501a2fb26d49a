/** The terminal profile that starts a new session of pi. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { TERMINAL_PROFILE } from '../../contract';
import { localizeError } from '../../ui/localize';
import { registerTerminalProfile } from '../../ui/safe/terminals';
import { configuredStartCommand, locateProgram } from './configuredPrograms';

/** A refusal is the sentence that New Session shows, without its buttons: the editor shows the error itself. */
export function terminalProfile(): vscode.Disposable {
  return registerTerminalProfile(TERMINAL_PROFILE, async () => {
    try {
      return await locateProgram(configuredStartCommand('pi'), profileFolder());
    } catch (error) {
      throw new Error(localizeError(error), { cause: error });
    }
  });
}

/** Returns the workspace folder of the active editor, otherwise the first one, otherwise the home folder. */
function profileFolder(): string {
  const editor = vscode.window.activeTextEditor;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const active = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
  return (folders.find((folder) => folder === active) ?? folders[0])?.uri.fsPath ?? homedir();
}
