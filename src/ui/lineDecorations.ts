/** Decorations of lines in text editors. Their texts are plain, in one line: the editor makes styles of them. */
import * as vscode from 'vscode';
import { uiLine } from '../core/index';

export interface DecoratedLine {
  /** From 0. */
  readonly line: number;
  /** The last line, from 0; by default `line`. */
  readonly to?: number;
  /** Shown before the first line, or after the last one. */
  readonly text?: string;
  /** The lines that pointing at the decorated ones shows. */
  readonly hover?: readonly string[];
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
    const last = document.lineCount - 1;
    const options = lines
      // The document may have changed since.
      .filter(({ line }) => line <= last)
      .map(({ line, to = line, text, hover }): vscode.DecorationOptions => {
        const { range } = document.lineAt(line);
        return {
          range: to === line ? range : range.with({ end: document.lineAt(Math.min(to, last)).range.end }),
          renderOptions: text === undefined ? {} : { [this.place]: { contentText: shownText(text) } },
          hoverMessage: hover?.map((one) => new vscode.MarkdownString().appendText(uiLine(one))) ?? [],
        };
      });
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
