/** Text before or after lines of an editor. It's plain text in one line: the editor makes a style of it. */
import * as vscode from 'vscode';
import { uiLine } from '../core/index';

export interface DecoratedLine {
  /** From 0. */
  readonly line: number;
  readonly text: string;
}

/** UTF-16 units of a text. */
const MAX_TEXT_LENGTH = 200;

export class LineDecorations implements vscode.Disposable {
  private readonly type: vscode.TextEditorDecorationType;

  constructor(
    private readonly place: 'before' | 'after',
    options: vscode.DecorationRenderOptions,
  ) {
    // A line break before a line moves its decoration along with it.
    this.type = vscode.window.createTextEditorDecorationType({ ...options, rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed });
  }

  /** Replaces what is shown in an editor. */
  show(editor: vscode.TextEditor, lines: readonly DecoratedLine[]): void {
    const { document } = editor;
    const options = lines
      .filter(({ line }) => line < document.lineCount)
      .map(({ line, text }) => ({ range: document.lineAt(line).range, renderOptions: { [this.place]: { contentText: shownText(text) } } }));
    editor.setDecorations(this.type, options);
  }

  /** Removes it from all editors. */
  dispose(): void {
    this.type.dispose();
  }
}

/** Keeps every space, so that columns stay as wide as they are. */
const shownText = (text: string): string =>
  text
    .slice(0, MAX_TEXT_LENGTH)
    .split(/( +)/)
    .map((part, at) => (at % 2 === 0 ? uiLine(part).replaceAll(' ', '\u00a0') : '\u00a0'.repeat(part.length)))
    .join('') || '\u00a0';
