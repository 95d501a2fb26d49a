/** What became of many files, as a document that is read and forgotten. */
import * as vscode from 'vscode';
import { uiLine } from '../../core/index';

const REPORT_SCHEME = 'session-tree-report';

export interface ReportDocuments {
  /** Opens a report in an editor; it is there until that is closed. */
  readonly show: (title: string, text: string) => Promise<void>;
  readonly dispose: () => void;
}

export function createReportDocuments(): ReportDocuments {
  const texts = new Map<string, string>();
  const gone = vscode.l10n.t('This report is no longer there.');
  const provider = vscode.workspace.registerTextDocumentContentProvider(REPORT_SCHEME, { provideTextDocumentContent: (uri) => texts.get(String(uri)) ?? gone });
  const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(String(uri)));
  let count = 0;
  return {
    show: async (title, text) => {
      const uri = vscode.Uri.from({ scheme: REPORT_SCHEME, path: `/${uiLine(title, 100).replaceAll(/[/\\]/g, '-')}`, query: String(++count) });
      texts.set(String(uri), text);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    },
    dispose: () => {
      provider.dispose();
      closing.dispose();
    },
  };
}
