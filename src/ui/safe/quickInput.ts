/** Quick picks, input boxes and the save dialog. No text in them becomes a link or an icon. */
import * as vscode from 'vscode';
import { finishSteps, STEP_LENGTH, uiLine, Yielder, type Steps } from '../../core/index';
import { sanitizeLine, sanitizingProxy } from './sanitizingProxy';

/** UTF-16 units of each text of an item. The editor cuts further, to the width of the list. */
const MAX_TEXT_LENGTH = 400;

/** Like `vscode.window.createQuickPick`, with safe text. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return safeQuickPick(vscode.window.createQuickPick<T>());
}

/** Like {@link createQuickPick}, with items, whose texts are made safe in steps: there may be a hundred thousand. */
export async function createFilledQuickPick<T extends vscode.QuickPickItem>(items: readonly T[]): Promise<vscode.QuickPick<T>> {
  const safe = await new Yielder(undefined).run(sanitizeItems([...items]));
  const picker = vscode.window.createQuickPick<T>();
  picker.items = safe;
  return safeQuickPick(picker);
}

function safeQuickPick<T extends vscode.QuickPickItem>(picker: vscode.QuickPick<T>): vscode.QuickPick<T> {
  const items = (set: readonly T[]): readonly T[] => finishSteps(sanitizeItems(set));
  return sanitizingProxy(picker, { title: sanitizeLine, placeholder: sanitizeLine, items });
}

/** Like `vscode.window.showInputBox`, with safe text. The edited value isn't changed. */
export function showInputBox(options: vscode.InputBoxOptions): Thenable<string | undefined> {
  const texts = Object.entries(options).filter(([name]) => name === 'title' || name === 'prompt' || name === 'placeHolder');
  return vscode.window.showInputBox({ ...options, ...Object.fromEntries(texts.map(([name, text]) => [name, sanitizeLine(text)])) });
}

/** Like {@link showInputBox}, with a button in the title. Resolves to `null` if the person chose it. */
export async function showInputBoxWithButton(
  { title = '', prompt = '', placeHolder = '', value = '' }: vscode.InputBoxOptions,
  button: vscode.QuickInputButton,
): Promise<string | null | undefined> {
  const box = vscode.window.createInputBox();
  try {
    box.title = sanitizeLine(title);
    box.prompt = sanitizeLine(prompt);
    box.placeholder = sanitizeLine(placeHolder);
    box.value = value;
    box.ignoreFocusOut = true;
    box.buttons = [button];
    return await new Promise((resolve) => {
      box.onDidAccept(() => resolve(box.value));
      box.onDidTriggerButton(() => resolve(null));
      box.onDidHide(() => resolve(undefined));
      box.show();
    });
  } finally {
    box.dispose();
  }
}

/** Like `vscode.window.showSaveDialog`, with a safe title. */
export function showSaveDialog(options: vscode.SaveDialogOptions & { readonly title: string }): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({ ...options, title: sanitizeLine(options.title) });
}

/** Changes the items in place, since the editor identifies items by object identity. */
function* sanitizeItems<T extends vscode.QuickPickItem>(items: readonly T[]): Steps<readonly T[]> {
  for (const [index, item] of items.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    item.label = uiLine(item.label, MAX_TEXT_LENGTH);
    if (item.description !== undefined) item.description = uiLine(item.description, MAX_TEXT_LENGTH);
    if (item.detail !== undefined) item.detail = uiLine(item.detail, MAX_TEXT_LENGTH);
  }
  return items;
}
