/**
 * Annotations of whole files: before each line, and in the overview ruler, its session or its age. They follow typing: the
 * editor moves them, changed lines lose theirs at once, and origins are found again after a pause.
 */
import * as vscode from 'vscode';
import type { LineOrigin, Turn } from '../core/index';
import { LineDecorations, type DecoratedLine } from '../ui/lineDecorations';
import { annotatedLines, applyChanges, type AnnotatedLines } from './annotatedLines';
import { column, heatColor, letterOf, sessionColor, sessionOrder } from './annotationText';
import type { DocumentOrigins } from './documentOrigins';
import { keyOf, readTurns, type TurnReaderDeps } from './turnReader';
import { promptText, type TextFunctions } from './turnText';

export interface FileAnnotationsDeps extends TurnReaderDeps {
  readonly origins: Pick<DocumentOrigins, 'of' | 'onDidChange'>;
  readonly text: TextFunctions;
}

export type AnnotationKind = 'sessions' | 'heatmap';

/** Narrow characters of the column before the lines. A month with its year takes up to 10, in some languages. */
const WIDTHS: Readonly<Record<AnnotationKind, number>> = { sessions: 34, heatmap: 10 };
/** Milliseconds without a change after which origins are found again. */
const PAUSE = 400;
/** The color of lines without an origin. */
const NONE = '';

interface Annotated {
  readonly kind: AnnotationKind;
  lines: AnnotatedLines;
  order: ReadonlyMap<string, number>;
  turns: ReadonlyMap<string, Turn>;
  search: vscode.CancellationTokenSource;
  timer?: NodeJS.Timeout;
}

export class FileAnnotations implements vscode.Disposable {
  private readonly annotated = new Map<vscode.TextDocument, Annotated>();
  private readonly decorations = new Map<string, LineDecorations>();
  private listeners: vscode.Disposable | undefined;

  constructor(private readonly deps: FileAnnotationsDeps) {}

  kindOf(document: vscode.TextDocument): AnnotationKind | undefined {
    return this.annotated.get(document)?.kind;
  }

  /** Annotates a document. Resolves to false if no line has an origin; then it isn't annotated. */
  async show(document: vscode.TextDocument, kind: AnnotationKind): Promise<boolean> {
    this.hide(document);
    const search = new vscode.CancellationTokenSource();
    const one: Annotated = { kind, lines: [], order: new Map(), turns: new Map(), search };
    this.annotated.set(document, one);
    this.listeners ??= this.listen();
    await this.update(document, one);
    const isShown = this.annotated.get(document) === one && one.lines.some((origin) => origin !== undefined);
    if (!isShown && this.annotated.get(document) === one) this.hide(document);
    return isShown;
  }

  hide(document: vscode.TextDocument): void {
    const one = this.annotated.get(document);
    if (!one) return;
    clearTimeout(one.timer);
    one.search.cancel();
    this.annotated.delete(document);
    for (const editor of editorsOf(document)) for (const decoration of this.decorations.values()) decoration.show(editor, []);
    if (this.annotated.size === 0) this.stop();
  }

  dispose(): void {
    for (const document of [...this.annotated.keys()]) this.hide(document);
  }

  private stop(): void {
    this.listeners?.dispose();
    this.listeners = undefined;
    for (const decoration of this.decorations.values()) decoration.dispose();
    this.decorations.clear();
  }

  private listen(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.changed(document, contentChanges)),
      vscode.workspace.onDidCloseTextDocument((document) => this.hide(document)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.draw(editor);
      }),
      this.deps.origins.onDidChange(() => {
        for (const [document, one] of this.annotated) this.schedule(document, one);
      }),
    );
  }

  private changed(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const one = this.annotated.get(document);
    if (!one || changes.length === 0) return;
    const before = one.lines;
    one.lines = applyChanges(before, changes, (line) => (line < document.lineCount ? document.lineAt(line).text.length : -1));
    const isSame = before.length === one.lines.length && before.every((origin, line) => origin === one.lines[line]);
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
    const turns = one.kind === 'sessions' ? await readTurns(origins, this.deps) : one.turns;
    if (search.token.isCancellationRequested || document.version !== version || this.annotated.get(document) !== one) return;
    one.lines = annotatedLines(origins, document.lineCount);
    one.order = sessionOrder(origins);
    one.turns = turns;
    for (const editor of editorsOf(document)) this.draw(editor);
  }

  private draw(editor: vscode.TextEditor): void {
    const one = this.annotated.get(editor.document);
    if (!one) return;
    const now = Date.now();
    const byColor = new Map<string, DecoratedLine[]>([...this.decorations.keys()].map((key) => [key, []]));
    let before: LineOrigin | undefined;
    // Lines without an origin have an empty column, so that the code stays aligned; but not if none has one.
    const hasAny = one.lines.some((origin) => origin !== undefined);
    for (const [line, origin] of hasAny ? one.lines.entries() : []) {
      const color = origin ? this.colorOf(one, origin, now) : NONE;
      const key = JSON.stringify([one.kind, color]);
      const text = origin ? this.textOf(one, origin, before, now) : '';
      const lines = byColor.get(key);
      if (lines) lines.push({ line, text });
      else byColor.set(key, [{ line, text }]);
      before = origin;
    }
    for (const [key, lines] of byColor) this.decorationOf(key, one.kind).show(editor, lines);
  }

  private colorOf({ kind, order }: Annotated, { path, time }: LineOrigin, now: number): string {
    return kind === 'sessions' ? sessionColor(order.get(path) ?? 0) : heatColor(time, now);
  }

  /** The letter of the session or the age on each line, and the prompt on the first line of a turn. */
  private textOf({ kind, order, turns }: Annotated, origin: LineOrigin, before: LineOrigin | undefined, now: number): string {
    const age = this.deps.text.age(origin.time, now);
    if (kind === 'heatmap') return column('', age, WIDTHS.heatmap);
    const letter = letterOf(order.get(origin.path) ?? 0);
    if (before && keyOf(before) === keyOf(origin)) return letter;
    const turn = turns.get(keyOf(origin));
    return column(turn ? `${letter} ${this.deps.text.truncate(promptText(turn), 60)}` : letter, age, WIDTHS.sessions);
  }

  private decorationOf(key: string, kind: AnnotationKind): LineDecorations {
    let decoration = this.decorations.get(key);
    if (!decoration) {
      // The key is made of a kind and an id.
      const [, id] = JSON.parse(key) as [AnnotationKind, string];
      this.decorations.set(key, (decoration = new LineDecorations('before', styleOf(id, WIDTHS[kind]))));
    }
    return decoration;
  }
}

const editorsOf = (document: vscode.TextDocument): vscode.TextEditor[] =>
  vscode.window.visibleTextEditors.filter((editor) => editor.document === document);

function styleOf(id: string, width: number): vscode.DecorationRenderOptions {
  const before = { color: new vscode.ThemeColor('sessionTree.annotationForeground'), width: `${width}ch`, margin: '0 1.5ch 0 1ch' };
  const style = { isWholeLine: true, borderStyle: 'solid', borderWidth: '0 0 0 3px', before };
  if (id === NONE) return { ...style, borderColor: 'transparent' };
  const color = new vscode.ThemeColor(id);
  return { ...style, borderColor: color, overviewRulerColor: color, overviewRulerLane: vscode.OverviewRulerLane.Left };
}
