/** Decorations of lines in text editors. Their texts are plain, in one line: the editor makes styles of them. */
import * as vscode from 'vscode';
import { beginning, uiLine } from '../../core/index';

export interface DecoratedLine {
  /** From 0. */
  readonly line: number;
  /** The last line, from 0; by default `line`. */
  readonly to?: number;
  /** Shown before the first line, or after the last one. */
  readonly text?: string;
  /** The lines of the text that is shown on pointing at the decorated lines. */
  readonly hover?: readonly string[];
}

/** UTF-16 units of a text. */
const MAX_TEXT_LENGTH = 200;

export class LineDecorations implements vscode.Disposable {
  private readonly type: vscode.TextEditorDecorationType;

  /** @param text the text of all lines without a separate text */
  constructor(
    private readonly place: 'before' | 'after',
    options: vscode.DecorationRenderOptions,
    text?: string,
  ) {
    this.type = vscode.window.createTextEditorDecorationType({
      ...options,
      ...(text !== undefined && { [place]: { ...options[place], contentText: shownText(text) } }),
      // A line break before a line moves its decoration along with it.
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    });
  }

  /** Replaces the shown decorations in an editor. */
  show(editor: vscode.TextEditor, lines: readonly DecoratedLine[]): void {
    const { document } = editor;
    const last = document.lineCount - 1;
    // The document may have changed since.
    const shown = lines.filter(({ line }) => line <= last);
    const rangeOf = ({ line, to = line }: DecoratedLine): vscode.Range => {
      const { range } = document.lineAt(line);
      return to === line ? range : range.with({ end: document.lineAt(Math.min(to, last)).range.end });
    };
    // The editor takes plain ranges in much less time.
    if (shown.every(({ text, hover }) => text === undefined && hover === undefined)) editor.setDecorations(this.type, shown.map(rangeOf));
    else
      editor.setDecorations(
        this.type,
        shown.map((line) => this.optionsOf(line, rangeOf(line))),
      );
  }

  /** Removes it from all editors. */
  dispose(): void {
    this.type.dispose();
  }

  private optionsOf({ text, hover }: DecoratedLine, range: vscode.Range): vscode.DecorationOptions {
    return {
      range,
      renderOptions: text === undefined ? {} : { [this.place]: { contentText: shownText(text) } },
      hoverMessage: hover?.map((one) => new vscode.MarkdownString().appendText(uiLine(one))) ?? [],
    };
  }
}

/** Keeps every space, so that columns stay as wide as they are. */
const shownText = (text: string): string =>
  beginning(text, MAX_TEXT_LENGTH)
    .split(/( +)/)
    .map((part, at) => (at % 2 === 0 ? uiLine(part).replaceAll(' ', '\u00a0') : '\u00a0'.repeat(part.length)))
    .join('') || '\u00a0';
