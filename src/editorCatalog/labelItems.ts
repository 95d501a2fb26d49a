/** The rows of the Labels view. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { oneLine, shortPath } from '../core/index';
import type { ItemAge } from '../ui/rowAges';
import type { LabelGroup, LabelRow } from './labelGroups';

/** @param reveal the command that a click runs */
export function labelItem(row: LabelRow, { age, ago, badge }: ItemAge, reveal: string): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label);
  const session = sessionOf(row);
  item.id = `${row.path}\n${row.entryId}`;
  item.iconPath = new vscode.ThemeIcon('tag');
  if (badge) item.resourceUri = badge;
  item.description = [badge ? '' : age, session, copiesText(row)].filter((part) => part !== '').join(' · ');
  item.contextValue = row.writable ? 'label writable' : 'label';
  item.command = { command: reveal, title: vscode.l10n.t('Reveal'), arguments: [row] };
  const name = vscode.l10n.t('{label}, label in {session}, {ago}', { label: row.label, session, ago });
  const copies = copiesText(row);
  item.accessibilityInformation = { label: copies === '' ? name : `${name}, ${copies}` };
  return item;
}

/** UTF-16 units of a label in a tooltip. */
const MAX_LABEL = 1000;

/**
 * @param text the entry in a line
 * @param escaped escapes text for Markdown
 */
export function labelTooltip(row: LabelRow, text: string | undefined, escaped: (text: string) => string): vscode.MarkdownString {
  const set =
    row.timestamp === 0 ? '' : new Date(row.timestamp).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const foot = [sessionOf(row), copiesText(row), set].filter((part) => part !== '').join(' · ');
  const parts = [
    `**${escaped(oneLine(row.label, MAX_LABEL))}**`,
    ...(text === undefined ? [] : [escaped(text)]),
    '---',
    escaped(oneLine(foot, MAX_LABEL)),
  ];
  return new vscode.MarkdownString(parts.join('\n\n'));
}

const copiesText = ({ copies }: LabelRow): string =>
  copies === 0 ? '' : copies === 1 ? vscode.l10n.t('also in 1 fork') : vscode.l10n.t('also in {0} forks', copies);

const sessionOf = (row: LabelRow): string => row.session ?? basename(row.path);

export function projectItem({ cwd, labels }: LabelGroup): vscode.TreeItem {
  const name = cwd === '' ? vscode.l10n.t('Unknown project') : basename(cwd) || cwd;
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `project\n${cwd}`;
  item.iconPath = vscode.ThemeIcon.Folder;
  item.accessibilityInformation = {
    label:
      labels.length === 1
        ? vscode.l10n.t('{name}, 1 label', { name })
        : vscode.l10n.t('{name}, {count} labels', { name, count: labels.length }),
  };
  if (cwd !== '') {
    item.description = shortPath(cwd);
    item.tooltip = cwd;
  }
  return item;
}
