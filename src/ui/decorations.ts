/** Decorations of lines in text editors. No text in them becomes a link or an icon. */
import * as vscode from 'vscode';
import { uiLine } from '../core/index';

export interface LineMark {
  readonly range: vscode.Range;
  /** Words after the range; at most 60 UTF-16 units are shown. */
  readonly words?: string;
  /** The lines that pointing at the range shows. */
  readonly hover?: readonly string[];
}

/** UTF-16 units of the words after a range. */
const MAX_WORDS = 60;

export const createDecorationType = (options: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType =>
  vscode.window.createTextEditorDecorationType(options);

/** Replaces the marks of a type in an editor. */
export function showMarks(editor: vscode.TextEditor, type: vscode.TextEditorDecorationType, marks: readonly LineMark[]): void {
  editor.setDecorations(
    type,
    marks.map(({ range, words, hover }): vscode.DecorationOptions => {
      const after = words === undefined ? {} : { renderOptions: { after: { contentText: uiLine(words, MAX_WORDS) } } };
      return hover
        ? { range, hoverMessage: hover.map((line) => new vscode.MarkdownString().appendText(uiLine(line))), ...after }
        : { range, ...after };
    }),
  );
}
