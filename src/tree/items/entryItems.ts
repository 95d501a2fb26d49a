/** The rows of entries, and of branches that were left. */
import * as vscode from 'vscode';
import type { BranchRow, EntryRow } from '../rows/viewRows';
import { entryIcon, themeIcon } from './icons';
import { ageUri, FILES_URI, LEAF_URI } from './rowBadges';
import { contextValueOf, type RowContext } from './rowContext';
import * as words from './rowText';

const { t } = vscode.l10n;
const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** A label precedes the text, so it must leave some of it visible. */
const LABEL_LENGTH = 60;

export function entryItem({ path, entry: { head, label, isLeaf } }: EntryRow, { summary, isLive, filesHere }: RowContext): vscode.TreeItem {
  const item = new vscode.TreeItem(labeled(words.shownText(head), label), None);
  const hasFiles = filesHere(path) === head.id;
  item.iconPath = entryIcon(head);
  item.contextValue = contextValueOf('entry file readable', {
    writable: summary(path)?.writable === true,
    live: isLive(path),
    labeled: label !== undefined,
    subagentCall: summary(path)?.calls?.some((call) => call.entryId === head.id || call.resultId === head.id) === true,
  });
  if (isLeaf || hasFiles) item.resourceUri = isLeaf ? LEAF_URI : FILES_URI;
  const marks = [...(isLeaf ? [t('← active')] : []), ...(hasFiles ? [t('← files are here')] : [])];
  if (marks.length > 0) item.description = marks.join(' ');
  item.accessibilityInformation = {
    label: [
      label === undefined ? undefined : t('label {0}', label),
      words.spokenText(head),
      isLeaf ? t('current leaf') : undefined,
      hasFiles ? t('files are here') : undefined,
    ]
      .filter(Boolean)
      .join(', '),
  };
  return item;
}

/** Commands apply to the branch's tip. */
export function branchItem(row: BranchRow, { now, summary, isLive, isExpanded, showsBadges }: RowContext): vscode.TreeItem {
  const { head, tipLabel, turnCount: turns, visibleCount: visible, newest } = row.branch;
  const label = tipLabel ?? row.branch.label;
  const size = turns === 0 ? words.entryCount(visible) : words.turnCount(turns);
  const item = new vscode.TreeItem(labeled(words.shownText(head), label), isExpanded(row) ? Expanded : Collapsed);
  const badge = showsBadges ? ageUri(newest, now) : undefined;
  if (badge) item.resourceUri = badge;
  item.description = words.joinParts(showsBadges ? undefined : words.age(newest, now), size);
  item.iconPath = themeIcon('git-branch', 'charts.yellow');
  item.contextValue = contextValueOf('branch file readable', {
    writable: summary(row.path)?.writable === true,
    live: isLive(row.path),
    labeled: tipLabel !== undefined,
  });
  item.accessibilityInformation = {
    label: [
      t('abandoned branch'),
      label === undefined ? undefined : t('label {0}', label),
      words.spokenText(head),
      size,
      words.ago(newest, now),
    ]
      .filter(Boolean)
      .join(', '),
  };
  return item;
}

/** Puts the label before the text, as pi does, and highlights it. */
function labeled(text: string, label: string | undefined): string | vscode.TreeItemLabel {
  if (label === undefined) return text;
  const mark = `[${words.truncate(label, LABEL_LENGTH)}]`;
  return { label: `${mark} ${text}`, highlights: [[0, mark.length]] };
}
