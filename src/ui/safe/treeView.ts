/** Tree views. No text in their rows, messages and errors becomes a link or an icon. */
import * as vscode from 'vscode';
import { defined, SessionError, uiError, uiLine, uiText } from '../../core/index';
import { sanitizeLine, sanitizingProxy } from './sanitizingProxy';

/** Provides rows, with items that are made synchronously. */
export interface TreeProvider<T> extends vscode.TreeDataProvider<T> {
  getTreeItem(element: T): vscode.TreeItem;
}

interface Options<T> extends vscode.TreeViewOptions<T> {
  readonly treeDataProvider: TreeProvider<T>;
}

/** Like `vscode.window.createTreeView`, with safe text. A Markdown tooltip has to be escaped by the code that makes it. */
export function createTreeView<T>(id: string, options: Options<T>): vscode.TreeView<T> {
  const view = vscode.window.createTreeView(id, { ...options, treeDataProvider: safeProvider(options.treeDataProvider) });
  return sanitizingProxy(view, { message: sanitizeLine, title: sanitizeLine, description: sanitizeLine });
}

/**
 * Checks that the row still exists on which a menu or a button called a command. While a view's rows are being replaced,
 * the editor passes `undefined` for a row, and nothing or the selected rows after it. No other row may take its place.
 * Keys and the palette pass no arguments at all.
 *
 * @throws {SessionError} `invalid` if the row is gone
 */
export function assertRowExists(args: readonly unknown[]): void {
  const [row, selected] = args;
  const isGone = args.length > 0 && (row === undefined || row === null) && (selected === undefined || Array.isArray(selected));
  if (isGone) throw new SessionError('invalid', 'The list has changed. Try again.');
}

function safeProvider<T>(provider: TreeProvider<T>): vscode.TreeDataProvider<T> {
  // A provider may be an instance of a class, whose methods a spread would lose.
  const { onDidChangeTreeData } = provider;
  const getParent = provider.getParent?.bind(provider);
  const resolve = provider.resolveTreeItem?.bind(provider);
  return {
    ...defined({ onDidChangeTreeData, getParent }),
    getTreeItem: (element) => sanitizeItem(provider.getTreeItem(element)),
    getChildren: (parent) => withUiErrors(async () => provider.getChildren(parent)),
    ...(resolve
      ? { resolveTreeItem: (item, element, token) => withUiErrors(async () => sanitizeItem((await resolve(item, element, token)) ?? item)) }
      : {}),
  };
}

/** Sanitizes an item in place. Highlights keep their offsets, so the label up to the last highlight has to be a `uiLine` already. */
function sanitizeItem(item: vscode.TreeItem): vscode.TreeItem {
  const { label, accessibilityInformation } = item;
  if (typeof label === 'string') item.label = uiLine(label);
  else if (label) item.label = { ...label, label: uiLine(label.label) };
  if (typeof item.description === 'string') item.description = uiLine(item.description);
  if (typeof item.tooltip === 'string') item.tooltip = uiText(item.tooltip);
  if (accessibilityInformation)
    item.accessibilityInformation = { ...accessibilityInformation, label: uiLine(accessibilityInformation.label) };
  return item;
}

async function withUiErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw uiError(error);
  }
}
