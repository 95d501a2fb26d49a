/** Read-only documents of files as they are in the last commit: the left side of a review. */
import * as vscode from 'vscode';
import { blobTexts } from '../../core/index';

/** The scheme of the documents. Their path is the file's own, so that the editor doesn't show the file as renamed. */
export const COMMITTED_SCHEME = 'session-tree-committed';

/** Reads only contents that a review of this window named, because an address can contain anything. */
export class CommittedDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly sources = new Map<string, { readonly repository: string; readonly blob: string | undefined }>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(COMMITTED_SCHEME, this);

  /** @param blob the content's hash; without one the document is empty */
  uriOf(repository: string, file: string, blob: string | undefined): vscode.Uri {
    const uri = vscode.Uri.file(file).with({ scheme: COMMITTED_SCHEME, query: JSON.stringify([repository, blob ?? null]) });
    this.sources.set(uri.toString(), { repository, blob });
    return uri;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const source = this.sources.get(uri.toString());
    if (!source) return vscode.l10n.t('This review is no longer open.');
    return this.textOf(source.repository, source.blob);
  }

  /** Returns a content of the last commit. */
  async textOf(repository: string, blob: string | undefined): Promise<string> {
    return blob === undefined ? '' : ((await blobTexts(repository, [blob])).get(blob) ?? '');
  }

  /** Forgets the documents of a closed review. */
  clear(): void {
    this.sources.clear();
  }

  dispose(): void {
    this.registration.dispose();
  }
}
