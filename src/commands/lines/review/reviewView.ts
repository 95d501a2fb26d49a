/** An open review: differences to the last commit in the editor, with marks, which are gone with the last tab of it. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { reviewText, type Catalog, type Review, type ReviewedFile, type ReviewedRange } from '../../../core/index';
import { registerCommand } from '../../../ui/safe/registerCommand';
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

/** The command that marks the lines at the cursor as reviewed, and the context key of its key. */
const TOGGLE_REVIEWED = 'sessionTree.review.toggleReviewed';
const OPEN_KEY = 'sessionTree.reviewsChanges';

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
  /** The reviewed lines, by file and text: a change of them has to be reviewed again. */
  private readonly reviewed = new Set<string>();

  constructor(private readonly options: ReviewViewOptions) {
    const { review, session, texts } = options;
    this.marks = new ReviewMarks(session, texts);
    this.files = new Map(review.files.map((file) => [vscode.Uri.file(file.file).toString(), file]));
    this.subscriptions = [
      vscode.window.onDidChangeVisibleTextEditors(() => this.markVisible()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.changed(document)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.tabsChanged()),
      registerCommand(TOGGLE_REVIEWED, () => this.toggleReviewed()),
    ];
    void vscode.commands.executeCommand('setContext', OPEN_KEY, true);
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
    void vscode.commands.executeCommand('setContext', OPEN_KEY, false);
    this.options.committed.clear();
  }

  /** Marks the lines at the cursor as reviewed, or no longer, and goes on to the next lines that aren't. */
  private toggleReviewed(): void {
    const editor = vscode.window.activeTextEditor;
    const ranges = editor && this.files.get(editor.document.uri.toString())?.ranges;
    const line = (editor?.selection.active.line ?? 0) + 1;
    const range = ranges?.find(({ from, to }) => from <= line && line <= to);
    if (!editor || !ranges || !range) return;
    const key = keyOf(editor.document, range);
    if (!this.reviewed.delete(key)) {
      this.reviewed.add(key);
      const others = ranges.filter((one) => !this.reviewed.has(keyOf(editor.document, one)));
      const next = others.find(({ from }) => from > range.to) ?? others[0];
      if (next) {
        editor.selection = new vscode.Selection(next.from - 1, 0, next.from - 1, 0);
        editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
    this.markVisible();
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
    this.marks
      .show(editor, file.ranges, (range) => this.reviewed.size > 0 && this.reviewed.has(keyOf(editor.document, range)))
      .catch((error: unknown) => this.options.onError(error));
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

const keyOf = (document: vscode.TextDocument, { from, to }: ReviewedRange): string =>
  `${document.uri.toString()}\n${document.getText(new vscode.Range(from - 1, 0, to, 0))}`;
