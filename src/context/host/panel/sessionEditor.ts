/** “Open as Session” for session files: a read-only editor that shows the context view. The text editor stays the default. */
import * as vscode from 'vscode';
import { SESSION_EDITOR } from '../../../contract';
import { SessionError } from '../../../core/index';

/** @param show fills the panel with a session's context */
export function registerSessionEditor(show: (panel: vscode.WebviewPanel, path: string) => Promise<void>): vscode.Disposable {
  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) => {
      if (uri.scheme !== 'file')
        throw new SessionError('invalid', 'Only files on this machine can be opened as sessions: {path}', { path: uri.path });
      await show(panel, uri.fsPath);
    },
  };
  return vscode.window.registerCustomEditorProvider(SESSION_EDITOR, provider, { supportsMultipleEditorsPerDocument: true });
}
