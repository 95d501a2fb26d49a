/** Converts rows to `TreeItem`s. Reads no file: tooltips and click commands are resolved later. */
import * as vscode from 'vscode';
import { formatNumber } from '../../ui/formatNumbers';
import { MORE_ROWS } from '../rows/listWindow';
import type { MoreRow, ViewRow } from '../rows/viewRows';
import { branchItem, entryItem } from './entryItems';
import { groupItem, projectItem } from './groupItems';
import { themeIcon } from './icons';
import { noteItem, pendingChangeItem, problemItem, unreadableItem } from './noticeItems';
import type { RowContext } from './rowContext';
import * as words from './rowText';
import { sessionItem } from './sessionItem';

export const SHOW_MORE = 'sessionTree.showMore';

export function createTreeItem(row: ViewRow, context: RowContext): vscode.TreeItem {
  const item = buildTreeItem(row, context);
  item.id = row.id;
  return item;
}

/** Everything visible or spoken of an item, and its click, except its expansion, which is the editor's. Items with equal fingerprints need no refresh. */
export function treeItemFingerprint(item: vscode.TreeItem): string {
  const { label, description, contextValue, iconPath, resourceUri, command, accessibilityInformation } = item;
  const icon = iconPath instanceof vscode.ThemeIcon ? [iconPath.id, iconPath.color?.id] : [];
  return JSON.stringify([
    label,
    description,
    contextValue,
    icon,
    resourceUri?.toString(),
    command?.command,
    accessibilityInformation?.label,
  ]);
}

function buildTreeItem(row: ViewRow, context: RowContext): vscode.TreeItem {
  switch (row.row) {
    case 'project':
      return projectItem(row, context);
    case 'group':
      return groupItem(row, context);
    case 'session':
      return sessionItem(row, context);
    case 'unreadable':
      return unreadableItem(row);
    case 'entry':
      return entryItem(row, context);
    case 'branch':
      return branchItem(row, context);
    case 'note':
      return noteItem(row);
    case 'waiting':
      return pendingChangeItem(row);
    case 'problem':
      return problemItem(row);
    case 'more':
      return moreItem(row);
  }
}

function moreItem(row: MoreRow): vscode.TreeItem {
  const title = words.moreText(row, MORE_ROWS);
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
  if (row.hidden > MORE_ROWS) item.description = vscode.l10n.t('{0} in all', formatNumber(row.hidden));
  item.iconPath = themeIcon(row.side === 'earlier' ? 'fold-up' : 'fold-down');
  item.contextValue = 'more';
  item.command = { command: SHOW_MORE, title, arguments: [row] };
  return item;
}
