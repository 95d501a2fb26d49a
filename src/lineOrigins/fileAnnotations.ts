/**
 * Annotations of whole files: before each line, and in the overview ruler, its session or its age. They follow typing: the
 * editor moves them, changed lines lose theirs immediately, and origins are found again after a pause. The sides of a difference,
 * as in a review, aren't annotated: there is no room for the code beside the column.
 */
import * as vscode from 'vscode';
import { annotatedLines, applyChanges } from './annotatedLines';
import { AnnotationDecorations, type AnnotationKind, type Annotations } from './annotationDecorations';
import { sessionOrder } from './annotationText';
import type { DocumentOrigins } from './documentOrigins';
import { readTurns, type TurnReaderDeps } from './turnReader';
import type { TextFunctions } from './turnText';

export interface FileAnnotationsDeps extends TurnReaderDeps {
  readonly origins: Pick<DocumentOrigins, 'of' | 'onDidChange'>;
  readonly text: TextFunctions;
}

/** Milliseconds without a change after which origins are found again. */
const PAUSE = 400;

interface Annotated {
  shown: Annotations;
  search: vscode.CancellationTokenSource;
  timer?: NodeJS.Timeout;
}

export class FileAnnotations implements vscode.Disposable {
  private readonly annotated = new Map<vscode.TextDocument, Annotated>();
  private readonly decorations: AnnotationDecorations;
  private listeners: vscode.Disposable | undefined;

  constructor(private readonly deps: FileAnnotationsDeps) {
    this.decorations = new AnnotationDecorations(deps.text);
  }

  kindOf(document: vscode.TextDocument): AnnotationKind | undefined {
    return this.annotated.get(document)?.shown.kind;
  }

  /** Annotates a document. Resolves to false if no line has an origin; then it isn't annotated. */
  async show(document: vscode.TextDocument, kind: AnnotationKind): Promise<boolean> {
    this.hide(document);
    const search = new vscode.CancellationTokenSource();
    const one: Annotated = { shown: { kind, lines: [], order: new Map(), turns: new Map() }, search };
    this.annotated.set(document, one);
    this.listeners ??= this.listen();
    await this.update(document, one);
    const isShown = this.annotated.get(document) === one && one.shown.lines.some((origin) => origin !== undefined);
    if (!isShown && this.annotated.get(document) === one) this.hide(document);
    return isShown;
  }

  hide(document: vscode.TextDocument): void {
    const one = this.annotated.get(document);
    if (!one) return;
    clearTimeout(one.timer);
    one.search.cancel();
    this.annotated.delete(document);
    for (const editor of editorsOf(document)) this.decorations.clear(editor);
    if (this.annotated.size === 0) this.stop();
  }

  dispose(): void {
    for (const document of [...this.annotated.keys()]) this.hide(document);
  }

  private stop(): void {
    this.listeners?.dispose();
    this.listeners = undefined;
    this.decorations.dispose();
  }

  private listen(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.changed(document, contentChanges)),
      vscode.workspace.onDidCloseTextDocument((document) => this.hide(document)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.draw(editor);
      }),
      vscode.window.onDidChangeTextEditorViewColumn(({ textEditor }) => this.draw(textEditor)),
      this.deps.origins.onDidChange(() => {
        for (const [document, one] of this.annotated) this.schedule(document, one);
      }),
    );
  }

  private changed(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const one = this.annotated.get(document);
    if (!one || changes.length === 0) return;
    const before = one.shown.lines;
    const lines = applyChanges(before, changes, (line) => (line < document.lineCount ? document.lineAt(line).text.length : -1));
    one.shown = { ...one.shown, lines };
    const isSame = before.length === lines.length && before.every((origin, line) => origin === lines[line]);
    if (!isSame) for (const editor of editorsOf(document)) this.draw(editor);
    this.schedule(document, one);
  }

  private schedule(document: vscode.TextDocument, one: Annotated): void {
    clearTimeout(one.timer);
    one.search.cancel();
    one.timer = setTimeout(() => void this.update(document, one), PAUSE);
  }

  /** Never rejects. */
  private async update(document: vscode.TextDocument, one: Annotated): Promise<void> {
    one.search.cancel();
    const search = (one.search = new vscode.CancellationTokenSource());
    const { version } = document;
    const origins = await this.deps.origins.of(document, search.token);
    const { kind } = one.shown;
    const turns = kind === 'sessions' ? await readTurns(origins, this.deps) : one.shown.turns;
    if (search.token.isCancellationRequested || document.version !== version || this.annotated.get(document) !== one) return;
    one.shown = { kind, lines: annotatedLines(origins, document.lineCount), order: sessionOrder(origins), turns };
    for (const editor of editorsOf(document)) this.draw(editor);
  }

  private draw(editor: vscode.TextEditor): void {
    const one = this.annotated.get(editor.document);
    if (one && isWholeTab(editor)) this.decorations.draw(editor, one.shown);
  }
}

/** Returns whether an editor isn't a part of another one: only the editor of a tab has a column. */
const isWholeTab = ({ viewColumn }: vscode.TextEditor): boolean => viewColumn !== undefined;

const editorsOf = (document: vscode.TextDocument): vscode.TextEditor[] =>
  vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
