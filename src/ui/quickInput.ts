/** Lists and fields that a person answers in. Nothing in their text becomes a link or an icon. */
import * as vscode from 'vscode';
import { uiLine } from '../core/index';
import { sanitizeLine, sanitizingProxy } from './sanitizingProxy';

/** UTF-16 units of each of a row's texts; the editor cuts what has no room, at the width that there is. */
const MAX_TEXT_LENGTH = 400;

/** As `vscode.window.createQuickPick`. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return sanitizingProxy(vscode.window.createQuickPick<T>(), { title: sanitizeLine, placeholder: sanitizeLine, items: sanitizeItems });
}

/** As `vscode.window.showInputBox`. The value that is edited stays as it is. */
export function showInputBox(options: vscode.InputBoxOptions): Thenable<string | undefined> {
  const texts = Object.entries(options).filter(([name]) => name === 'title' || name === 'prompt' || name === 'placeHolder');
  return vscode.window.showInputBox({ ...options, ...Object.fromEntries(texts.map(([name, text]) => [name, sanitizeLine(text)])) });
}

/** The same objects, since the editor tells items apart by identity. */
function sanitizeItems<T extends vscode.QuickPickItem>(items: readonly T[]): readonly T[] {
  for (const item of items) {
    item.label = uiLine(item.label, MAX_TEXT_LENGTH);
    if (item.description !== undefined) item.description = uiLine(item.description, MAX_TEXT_LENGTH);
    if (item.detail !== undefined) item.detail = uiLine(item.detail, MAX_TEXT_LENGTH);
  }
  return items;
}
