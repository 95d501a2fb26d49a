/** Lists and fields that a person answers in. Nothing in their text becomes a link or an icon. */
import * as vscode from 'vscode';
import { uiLine } from '../core/index';
import { line, treated } from './treat';

/** UTF-16 units of each of a row's texts; the editor cuts what has no room, at the width that there is. */
const ROW_LENGTH = 400;

/** As `vscode.window.createQuickPick`. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return treated(vscode.window.createQuickPick<T>(), { title: line, placeholder: line, items: treatItems });
}

/** As `vscode.window.showInputBox`. The value that is edited stays as it is. */
export function showInputBox(options: vscode.InputBoxOptions): Thenable<string | undefined> {
  const texts = Object.entries(options).filter(([name]) => name === 'title' || name === 'prompt' || name === 'placeHolder');
  return vscode.window.showInputBox({ ...options, ...Object.fromEntries(texts.map(([name, text]) => [name, line(text)])) });
}

/** The same objects, since the editor tells items apart by identity. */
function treatItems<T extends vscode.QuickPickItem>(items: readonly T[]): readonly T[] {
  for (const item of items) {
    item.label = uiLine(item.label, ROW_LENGTH);
    if (item.description !== undefined) item.description = uiLine(item.description, ROW_LENGTH);
    if (item.detail !== undefined) item.detail = uiLine(item.detail, ROW_LENGTH);
  }
  return items;
}
