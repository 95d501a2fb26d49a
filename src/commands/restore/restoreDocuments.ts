/** Read-only documents with planned texts: sides of the review of a restore and of the merge editor. */
import * as vscode from 'vscode';

/** The scheme of the documents. Their path is the file's own, so that the editor doesn't show the file as renamed. */
const PLANNED_SCHEME = 'session-tree-planned';

/** Knows only texts that a review of this window planned, because an address can contain anything. */
export class RestoreDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(PLANNED_SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
  ];
  private count = 0;

  /** Adds a document. Each has an address of its own: the editor keeps the text of one that it has shown. */
  add(file: string, text: string): vscode.Uri {
    const uri = vscode.Uri.file(file).with({ scheme: PLANNED_SCHEME, query: String(++this.count) });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? vscode.l10n.t('This review is no longer open.');
  }

  /** Forgets documents, also those that no editor has opened. */
  remove(uris: Iterable<vscode.Uri>): void {
    for (const uri of uris) this.texts.delete(uri.toString());
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }
}
