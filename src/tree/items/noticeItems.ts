/** The rows of notices: problems of a file, unreadable files, a doubted leaf, pending changes. */
import * as vscode from 'vscode';
import { isWithoutHeader, shortPath } from '../../core/index';
import { localizeError, localizeFilter, localizeProblem } from '../../ui/localize';
import type { NoteRow, PendingChangeRow, ProblemRow, UnreadableRow } from '../rows/viewRows';
import { themeIcon } from './icons';
import { contextValueOf, TITLE_LENGTH } from './rowContext';
import * as words from './rowText';

const { t } = vscode.l10n;
const { Collapsed, None } = vscode.TreeItemCollapsibleState;

export function unreadableItem({ path, item: { error, isProtected } }: UnreadableRow): vscode.TreeItem {
  const reason = words.reasonWithoutPath(error);
  const item = new vscode.TreeItem(reason, None);
  item.description = words.fileName(path);
  item.iconPath = themeIcon('error', 'errorForeground');
  item.contextValue = contextValueOf('unreadable file', { deletable: !isProtected, damaged: !isProtected && isWithoutHeader(error) });
  item.tooltip = `${reason}\n${shortPath(path)}`;
  item.accessibilityInformation = { label: t('unreadable file {0}: {1}', words.fileName(path), reason) };
  return item;
}

export function noteItem({ text }: NoteRow): vscode.TreeItem {
  const item = new vscode.TreeItem(words.suspectText(), None);
  item.description = t('a newer branch ends at “{0}”', words.truncate(text, TITLE_LENGTH));
  item.iconPath = themeIcon('warning', 'list.warningForeground');
  item.contextValue = 'note suspect';
  item.tooltip = `${words.suspectText()}\n${item.description}`;
  item.accessibilityInformation = { label: words.joinParts(words.suspectText(), t('a newer branch ends at “{0}”', text)) };
  return item;
}

export function pendingChangeItem({ waiting }: PendingChangeRow): vscode.TreeItem {
  const { stuck } = waiting;
  const item = new vscode.TreeItem(words.pendingChangeText(waiting), None);
  item.description = words.pendingReason(waiting);
  item.iconPath = stuck ? themeIcon('warning', 'list.warningForeground') : themeIcon('clock');
  item.contextValue = 'waiting';
  item.tooltip = words.joinParts(words.pendingChangeText(waiting), item.description);
  item.accessibilityInformation = { label: words.joinParts(words.pendingChangeText(waiting), item.description) };
  return item;
}

export function problemItem(row: ProblemRow): vscode.TreeItem {
  const { content } = row;
  const item = new vscode.TreeItem(problemText(row), content.kind === 'all' ? Collapsed : None);
  item.iconPath =
    content.kind === 'nothing'
      ? themeIcon('filter')
      : content.kind === 'failed'
        ? themeIcon('error', 'errorForeground')
        : themeIcon('warning', 'list.warningForeground');
  item.contextValue = content.kind;
  return item;
}

function problemText({ content }: ProblemRow): string {
  switch (content.kind) {
    case 'all': {
      const skipped = content.problems.filter(({ code }) => SKIPPED_LINE_CODES.has(code)).length;
      return skipped === content.problems.length ? words.skippedLineCount(skipped) : words.irregularityCount(content.problems.length);
    }
    case 'one':
      return localizeProblem(content.problem);
    case 'failed':
      return localizeError(content.error);
    case 'nothing':
      return t('No entries match the filter “{0}”', localizeFilter(content.filter));
  }
}

const SKIPPED_LINE_CODES: ReadonlySet<string> = new Set(['bad-line', 'damaged-line', 'torn-line', 'long-line', 'before-header']);
