/** The annotation at the end of the current line: prompt, session and time. Exists only while it's on. */
import * as vscode from 'vscode';
import { LineDecorations } from '../ui/safe/lineDecorations';
import type { DocumentOrigins } from './documentOrigins';
import { originAt, tooManyChangesText } from './originHover';
import { keyOf, readTurns, type TurnReaderDeps } from './turnReader';
import { promptText, type TextFunctions } from './turnText';
import { localizeTitle } from '../ui/localize';

export interface CurrentLineDeps extends TurnReaderDeps {
  readonly origins: Pick<DocumentOrigins, 'quick' | 'onDidChange'>;
  readonly text: TextFunctions;
}

/** Milliseconds that the cursor rests before the line is annotated. */
const PAUSE = 200;
const MAX_PROMPT_LENGTH = 70;
const MAX_TITLE_LENGTH = 40;

export class CurrentLineAnnotation implements vscode.Disposable {
  private readonly decorations = new LineDecorations('after', {
    after: { color: new vscode.ThemeColor('sessionTree.annotationForeground'), margin: '0 0 0 3em' },
  });
  private shown: { readonly editor: vscode.TextEditor; readonly line: number } | undefined;
  private search = new vscode.CancellationTokenSource();
  private timer: NodeJS.Timeout | undefined;
  private readonly listeners = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(() => this.moved()),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) this.moved();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const { editor, line } = this.shown ?? {};
      // A changed line is the person's.
      const isChanged = contentChanges.some(({ range }) => line !== undefined && range.start.line <= line && line <= range.end.line);
      if (document === editor?.document && isChanged) this.hide();
      if (document === vscode.window.activeTextEditor?.document) this.schedule();
    }),
  );
  private readonly changes: vscode.Disposable;

  constructor(private readonly deps: CurrentLineDeps) {
    this.changes = deps.origins.onDidChange(() => this.schedule());
    this.schedule();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.search.cancel();
    this.listeners.dispose();
    this.changes.dispose();
    this.decorations.dispose();
  }

  private moved(): void {
    const editor = vscode.window.activeTextEditor;
    if (this.shown && this.shown.editor === editor && this.shown.line === editor.selection.active.line) return;
    this.hide();
    this.schedule();
  }

  private hide(): void {
    if (this.shown) this.decorations.show(this.shown.editor, []);
    this.shown = undefined;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.search.cancel();
    this.timer = setTimeout(() => void this.update(), PAUSE);
  }

  /** Never rejects. */
  private async update(): Promise<void> {
    const { token } = (this.search = new vscode.CancellationTokenSource());
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const { line } = editor.selection.active;
    const origins = await this.deps.origins.quick(editor.document, token);
    const origin = origins === 'too many changes' ? undefined : originAt(origins, line);
    const turn = origin && (await readTurns([origin], this.deps)).get(keyOf(origin));
    if (token.isCancellationRequested) return;
    if (origins === 'too many changes') {
      this.show(editor, line, tooManyChangesText());
      return;
    }
    // A text that is replaced on the same line doesn't flicker.
    if (!turn || this.shown?.editor !== editor) this.hide();
    if (!origin || !turn) return;
    const { ago, joinParts, truncate } = this.deps.text;
    const title = localizeTitle(turn.title);
    const prompt = promptText(turn);
    const text = joinParts(
      truncate(prompt, MAX_PROMPT_LENGTH),
      title === prompt ? undefined : truncate(title, MAX_TITLE_LENGTH),
      ago(origin.time, Date.now()),
      origin.certainty === 'likely'
        ? vscode.l10n.t({ message: 'probably', comment: 'The line was probably written by that prompt' })
        : undefined,
    );
    this.show(editor, line, text);
  }

  private show(editor: vscode.TextEditor, line: number, text: string): void {
    if (this.shown?.editor !== editor) this.hide();
    this.decorations.show(editor, [{ line, text }]);
    this.shown = { editor, line };
  }
}
