/** Rows → what the editor shows. Nothing here reads a file: tooltips and click commands come when they are asked for. */
import * as vscode from 'vscode';
import { DIALECT_FACTS, SessionError, type SessionSummary, type PendingChange } from '../../core/index';
import { localizeError, localizeProblem } from '../../ui/localize';
import { entryIcon, themeIcon } from './icons';
import { LEAF_URI } from './leafDecoration';
import type { Project } from '../projects/projects';
import type { BranchRow, EntryRow, MoreRow, NoteRow, ProblemRow, ProjectRow, SessionRow, UnreadableRow, ViewRow, PendingChangeRow } from '../rows/viewRows';
import { MORE_ROWS } from '../rows/listWindow';
import * as words from './rowText';

const { t } = vscode.l10n;

export const SHOW_MORE = 'sessionTree.showMore';

/** What rows say beside their own data. */
export interface RowContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isLive: (path: string) => boolean;
  /** What waits until a session is free. */
  readonly pendingChanges: (path: string) => readonly PendingChange[];
  readonly summary: (path: string) => SessionSummary | undefined;
  /** Whether a row is open when the editor first sees it. */
  readonly isExpanded: (row: ViewRow) => boolean;
}

/** The editor cuts what has no room, at the width that there is; longer than this nothing is given to it. */
const TITLE_LENGTH = 200;
/** A label stands before the text, of which something must be left to see. */
const LABEL_LENGTH = 60;

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

export function createTreeItem(row: ViewRow, around: RowContext): vscode.TreeItem {
  const item = buildTreeItem(row, around);
  item.id = row.id;
  return item;
}

/** Everything of a row that can be seen; two equal ones need no refresh. Whether it is open is the editor's. */
export function treeItemFingerprint({ label, description, contextValue, iconPath, resourceUri }: vscode.TreeItem): string {
  const icon = iconPath instanceof vscode.ThemeIcon ? [iconPath.id, iconPath.color?.id] : [];
  return JSON.stringify([label, description, contextValue, icon, resourceUri?.toString()]);
}

function buildTreeItem(row: ViewRow, around: RowContext): vscode.TreeItem {
  switch (row.row) {
    case 'project':
      return projectItem(row, around);
    case 'session':
      return sessionItem(row, around);
    case 'unreadable':
      return unreadableItem(row);
    case 'entry':
      return entryItem(row, around);
    case 'branch':
      return branchItem(row, around);
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

function projectItem(row: ProjectRow, { isExpanded: isOpen }: RowContext): vscode.TreeItem {
  const { cwd, project } = row;
  const item = new vscode.TreeItem(words.projectName(cwd), isOpen(row) ? Expanded : Collapsed);
  item.description = words.shortPath(cwd);
  item.iconPath = themeIcon(cwd === '' ? 'question' : project.inWorkspace ? 'root-folder-opened' : 'folder');
  item.contextValue = cwd === '' ? 'nowhere' : contextValueOf('project', { old: hasOld(project) });
  const place = project.inWorkspace ? t('project of this workspace') : t('project');
  item.accessibilityInformation = { label: [words.projectName(cwd), place, words.sessionCount(project.items.length), item.description].filter(Boolean).join(', ') };
  return item;
}

/** Whether any of its sessions is of an old version. */
function hasOld({ items }: Project): boolean {
  const waiting = [...items];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (item.kind !== 'session') continue;
    if (item.summary.isOld) return true;
    waiting.push(...item.children);
  }
  return false;
}

function sessionItem(row: SessionRow, { now, isLive, pendingChanges: waiting, isExpanded: isOpen }: RowContext): vscode.TreeItem {
  const { path, item: session } = row;
  const { summary, isSubagent, forkedFrom, children: below } = session;
  const live = isLive(path);
  const waits = waiting(path);
  const title = words.sessionTitle(summary);
  const item = new vscode.TreeItem(words.truncate(title, TITLE_LENGTH), isOpen(row) ? Expanded : Collapsed);
  const forks = below.filter((other) => other.kind === 'session' && !other.isSubagent).length;
  const parts = [
    live ? t('running') : undefined,
    words.pendingChangesText(waits),
    words.ago(summary.modified, now),
    summary.isPartial ? undefined : words.messageCount(summary.messageCount),
    DIALECT_FACTS[summary.dialect].label,
    forks === 0 ? undefined : words.forkCount(forks),
    forkedFrom && words.forkOriginText(forkedFrom),
  ];
  item.description = words.joinParts(...parts);
  item.iconPath = live ? themeIcon('record', 'charts.green') : themeIcon(summary.suspectedTip !== undefined ? 'warning' : isSubagent ? 'hubot' : isFork(summary) ? 'repo-forked' : 'comment-discussion');
  item.contextValue = contextValueOf('session file readable', { writable: summary.writable, old: summary.isOld, suspect: summary.suspectedTip !== undefined, live, waits: waits.length > 0 });
  const kind = isSubagent ? t('subagent session') : isFork(summary) ? t('forked session') : t('session');
  item.accessibilityInformation = { label: [title, kind, ...parts].filter(Boolean).join(', ') };
  return item;
}

const isFork = (summary: SessionSummary): boolean => summary.parentSession !== undefined;

function unreadableItem({ path, item: { error } }: UnreadableRow): vscode.TreeItem {
  const reason = words.reasonWithoutPath(error);
  const item = new vscode.TreeItem(reason, None);
  item.description = words.fileName(path);
  item.iconPath = themeIcon('error', 'errorForeground');
  item.contextValue = 'unreadable file';
  item.tooltip = `${reason}\n${path}`;
  item.accessibilityInformation = { label: t('unreadable file {0}: {1}', words.fileName(path), reason) };
  return item;
}

function entryItem({ path, entry: { head, label, isLeaf } }: EntryRow, { summary, isLive }: RowContext): vscode.TreeItem {
  const item = new vscode.TreeItem(labeled(head.text, label), None);
  item.iconPath = entryIcon(head);
  item.contextValue = contextValueOf('entry file readable', { writable: summary(path)?.writable === true, live: isLive(path), labeled: label !== undefined });
  if (isLeaf) {
    item.description = t('← active');
    item.resourceUri = LEAF_URI;
  }
  item.accessibilityInformation = {
    label: [label === undefined ? undefined : t('label {0}', label), head.text, isLeaf ? t('the session goes on here') : undefined].filter(Boolean).join(', '),
  };
  return item;
}

/** How much and how old comes before the text, which has no end in a narrow side bar. What can be done is done at its tip. */
function branchItem(row: BranchRow, { now, summary, isLive, isExpanded: isOpen }: RowContext): vscode.TreeItem {
  const { head, tipLabel, turnCount: turns, visibleCount: visible, newest } = row.branch;
  const label = tipLabel ?? row.branch.label;
  const size = turns === 0 ? words.entryCount(visible) : words.turnCount(turns);
  const age = words.ago(newest, now);
  const item = new vscode.TreeItem(labeled(words.joinParts(size, age), label), isOpen(row) ? Expanded : Collapsed);
  item.description = head.text;
  item.iconPath = themeIcon('git-branch', 'charts.yellow');
  item.contextValue = contextValueOf('branch file readable', { writable: summary(row.path)?.writable === true, live: isLive(row.path), labeled: tipLabel !== undefined });
  item.accessibilityInformation = { label: [t('abandoned branch'), label === undefined ? undefined : t('label {0}', label), head.text, size, age].filter(Boolean).join(', ') };
  return item;
}

function noteItem({ text }: NoteRow): vscode.TreeItem {
  const item = new vscode.TreeItem(t('The session will go on at an old place'), None);
  item.description = t('a newer branch ends at “{0}”', words.truncate(text, TITLE_LENGTH));
  item.iconPath = themeIcon('warning', 'list.warningForeground');
  item.contextValue = 'note suspect';
  item.accessibilityInformation = { label: t('The session will go on at an old place. A newer branch ends at “{0}”', text) };
  return item;
}

function pendingChangeItem({ waiting }: PendingChangeRow): vscode.TreeItem {
  const { stuck } = waiting;
  const item = new vscode.TreeItem(words.pendingChangeText(waiting), None);
  item.description = stuck ? words.reasonWithoutPath(new SessionError(stuck.code, stuck.template, stuck.args)) : t('written when the session is free');
  item.iconPath = stuck ? themeIcon('warning', 'list.warningForeground') : themeIcon('clock');
  item.contextValue = 'waiting';
  item.accessibilityInformation = { label: words.joinParts(words.pendingChangeText(waiting), item.description) };
  return item;
}

function problemItem(row: ProblemRow): vscode.TreeItem {
  const { content: says } = row;
  const item = new vscode.TreeItem(problemText(row), says.kind === 'all' ? Collapsed : None);
  item.iconPath = says.kind === 'nothing' ? themeIcon('filter') : says.kind === 'failed' ? themeIcon('error', 'errorForeground') : themeIcon('warning', 'list.warningForeground');
  item.contextValue = says.kind;
  return item;
}

function problemText({ content: says }: ProblemRow): string {
  switch (says.kind) {
    case 'all': {
      const skipped = says.problems.filter(({ code }) => SKIPPED_LINE_CODES.has(code)).length;
      return skipped === says.problems.length ? words.skippedLineCount(skipped) : words.irregularityCount(says.problems.length);
    }
    case 'one':
      return localizeProblem(says.problem);
    case 'failed':
      return localizeError(says.error);
    case 'nothing':
      return t('No entries with the filter “{0}”', words.filterName(says.filter));
  }
}

const SKIPPED_LINE_CODES: ReadonlySet<string> = new Set(['bad-line', 'torn-line', 'long-line', 'before-header']);

function moreItem(row: MoreRow): vscode.TreeItem {
  const title = words.moreText(row, MORE_ROWS);
  const item = new vscode.TreeItem(title, None);
  if (row.hidden > MORE_ROWS) item.description = t('{0} in all', row.hidden.toLocaleString(vscode.env.language));
  item.iconPath = themeIcon(row.side === 'earlier' ? 'fold-up' : 'fold-down');
  item.contextValue = 'more';
  item.command = { command: SHOW_MORE, title, arguments: [row] };
  return item;
}

/** A label stands before the text, as in pi, and is set off. */
function labeled(text: string, label: string | undefined): string | vscode.TreeItemLabel {
  if (label === undefined) return text;
  const mark = `[${words.truncate(label, LABEL_LENGTH)}]`;
  return { label: `${mark} ${text}`, highlights: [[0, mark.length]] };
}

/** `contextValue`: words that menus look for one by one. */
function contextValueOf(always: string, more: Readonly<Record<string, boolean>>): string {
  return [always, ...Object.keys(more).filter((name) => more[name] === true)].join(' ');
}
