/** Read-only documents with the results of a command. Their texts are kept until they are closed. */
import * as vscode from 'vscode';
import { uiLine } from '../../core/index';

const REPORT_SCHEME = 'session-tree-report';

export interface ReportDocuments {
  /** Opens a report in an editor. */
  readonly show: (title: string, text: string) => Promise<void>;
  /** Opens the preview of a report in Markdown, which must be safe. */
  readonly showMarkdown: (title: string, markdown: string) => Promise<void>;
  /** Opens a comparison of two texts. */
  readonly compare: (title: string, left: string, right: string) => Promise<void>;
  readonly dispose: () => void;
}

export function createReportDocuments(): ReportDocuments {
  const texts = new Map<string, string>();
  const missing = vscode.l10n.t('This report is no longer available.');
  const provider = vscode.workspace.registerTextDocumentContentProvider(REPORT_SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(String(uri)) ?? missing,
  });
  const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(String(uri)));
  let count = 0;
  const add = (title: string, text: string): vscode.Uri => {
    const path = `/${uiLine(title, 100).replaceAll(/[/\\]/g, '-')}`;
    const uri = vscode.Uri.from({ scheme: REPORT_SCHEME, path, query: String(++count) });
    texts.set(String(uri), text);
    return uri;
  };
  return {
    show: async (title, text) => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(add(title, text)));
    },
    showMarkdown: async (title, markdown) => {
      const { uri } = await vscode.workspace.openTextDocument(add(`${title}.md`, markdown));
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
    compare: async (title, left, right) => {
      await vscode.commands.executeCommand('vscode.diff', add(title, left), add(title, right), uiLine(title));
    },
    dispose: () => {
      provider.dispose();
      closing.dispose();
    },
  };
}
