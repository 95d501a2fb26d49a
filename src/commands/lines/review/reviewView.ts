/** An open review: differences to the last commit in the editor, with marks, which are gone with the last tab of it. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { reviewText, type Catalog, type Review, type ReviewedFile } from '../../../core/index';
import { COMMITTED_SCHEME, type CommittedDocuments } from '../committedDocuments';
import { ReviewMarks, type WriterTexts } from './reviewMarks';

interface ReviewViewOptions {
  readonly review: Review;
  /** The reviewed session; `undefined` for all. */
  readonly session: string | undefined;
  /** The title of the tab with all files. */
  readonly title: string;
  readonly texts: WriterTexts;
  readonly catalog: Catalog;
  readonly committed: CommittedDocuments;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds without typing before a changed file is looked at again. */
const TYPING_DELAY = 400;

export class ReviewView implements vscode.Disposable {
  private readonly marks: ReviewMarks;
  private readonly files: Map<string, ReviewedFile>;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly subscriptions: vscode.Disposable[];
  /** True once the editor has reported a tab of the review; the previous file's tab may be closed first. */
  private wasOpen = false;
  private isDisposed = false;

  constructor(private readonly options: ReviewViewOptions) {
    const { review, session, texts } = options;
    this.marks = new ReviewMarks(session, texts);
    this.files = new Map(review.files.map((file) => [vscode.Uri.file(file.file).toString(), file]));
    this.subscriptions = [
      vscode.window.onDidChangeVisibleTextEditors(() => this.markVisible()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.changed(document)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.tabsChanged()),
    ];
  }

  /** Opens one file, or all in the multi-file diff editor. */
  async open(only?: ReviewedFile): Promise<void> {
    const { review, title, committed } = this.options;
    const committedUri = (file: ReviewedFile): vscode.Uri => committed.uriOf(review.repository, file.file, file.blob);
    if (only) {
      const name = vscode.l10n.t('Review: {0}', basename(only.path));
      const current = only.isDeleted ? committed.uriOf(review.repository, only.file, undefined) : vscode.Uri.file(only.file);
      await vscode.commands.executeCommand('vscode.diff', committedUri(only), current, name);
    } else {
      const resources = review.files.map((file) => {
        const uri = vscode.Uri.file(file.file);
        return [uri, file.blob === undefined ? undefined : committedUri(file), file.isDeleted ? undefined : uri];
      });
      await vscode.commands.executeCommand('vscode.changes', title, resources);
    }
    this.tabsChanged();
    this.markVisible();
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const one of [...this.subscriptions, this.marks]) one.dispose();
    this.options.committed.clear();
  }

  private tabsChanged(): void {
    const isOpen = this.isOpen();
    if (this.wasOpen && !isOpen) this.dispose();
    this.wasOpen = isOpen;
  }

  /** The API names no documents of a tab with several, so that it's known by its title, which the editor adds a count to. */
  private isOpen(): boolean {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    return tabs.some(({ input, label }) =>
      input instanceof vscode.TabInputTextDiff
        ? input.original.scheme === COMMITTED_SCHEME
        : !(input instanceof vscode.TabInputText) && label.startsWith(this.options.title),
    );
  }

  private markVisible(): void {
    for (const editor of vscode.window.visibleTextEditors) this.mark(editor);
  }

  private mark(editor: vscode.TextEditor): void {
    const file = this.files.get(editor.document.uri.toString());
    if (!file || this.isDisposed) return;
    this.marks.show(editor, file.ranges).catch((error: unknown) => this.options.onError(error));
  }

  private changed(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (!this.files.has(key)) return;
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => {
        this.look(key, document).catch((error: unknown) => this.options.onError(error));
      }, TYPING_DELAY),
    );
  }

  private async look(key: string, document: vscode.TextDocument): Promise<void> {
    const { review, catalog, committed } = this.options;
    const file = this.files.get(key);
    if (!file) return;
    const { version } = document;
    const before = await committed.textOf(review.repository, file.blob);
    const ranges = await reviewText(catalog, file.file, { before, text: document.getText() });
    if (document.version !== version) return;
    this.files.set(key, { ...file, ranges });
    for (const editor of vscode.window.visibleTextEditors) if (editor.document === document) this.mark(editor);
  }
}
