/** Read-only documents with the results of a command. Their texts are kept until they are closed. */
import * as vscode from 'vscode';
import { uiLine } from '../../core/index';

const REPORT_SCHEME = 'session-tree-report';

export interface ReportDocuments {
  /** Opens a report in an editor. */
  readonly show: (title: string, text: string) => Promise<void>;
  /** Opens Markdown in the editor's preview, in place of an earlier one with this title. Names in it have to be escaped. */
  readonly preview: (title: string, markdown: string) => Promise<void>;
  readonly dispose: () => void;
}

export function createReportDocuments(): ReportDocuments {
  const texts = new Map<string, string>();
  const missing = vscode.l10n.t('This report is no longer available.');
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(REPORT_SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(String(uri)) ?? missing,
    onDidChange: changed.event,
  });
  const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    // The editor closes the document of a preview that's still open, and may read it again.
    if (uri.query !== '') texts.delete(String(uri));
  });
  let count = 0;
  const uriOf = (name: string, query = ''): vscode.Uri =>
    vscode.Uri.from({ scheme: REPORT_SCHEME, path: `/${uiLine(name, 100).replaceAll(/[/\\]/g, '-')}`, query });
  return {
    show: async (title, text) => {
      const uri = uriOf(title, String(++count));
      texts.set(String(uri), text);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    },
    preview: async (title, markdown) => {
      const uri = uriOf(`${title}.md`);
      texts.set(String(uri), markdown);
      changed.fire(uri);
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
    dispose: () => {
      provider.dispose();
      closing.dispose();
      changed.dispose();
    },
  };
}
