/** Converts rows to `TreeItem`s. Reads no file: tooltips and click commands are resolved later. */
import * as vscode from 'vscode';
import type { Arrangement } from '../../contract';
import { DIALECT_FACTS, type SessionSummary, type PendingChange, type Presence, shortPath } from '../../core/index';
import { localizeError, localizeFilter, localizeProblem } from '../../ui/localize';
import { entryIcon, themeIcon } from './icons';
import { LEAF_URI } from './leafDecoration';
import type { Project, ReadableItem } from '../projects/projects';
import type {
  BranchRow,
  EntryRow,
  GroupRow,
  MoreRow,
  NoteRow,
  ProblemRow,
  ProjectRow,
  SessionRow,
  UnreadableRow,
  ViewRow,
  PendingChangeRow,
} from '../rows/viewRows';
import { MORE_ROWS } from '../rows/listWindow';
import * as words from './rowText';

const { t } = vscode.l10n;

export const SHOW_MORE = 'sessionTree.showMore';

/** Data that rows show besides their own. */
export interface RowContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isLive: (path: string) => boolean;
  /** The signs of the program that a running session belongs to. */
  readonly presence: (path: string) => Presence | undefined;
  /** The changes that wait until a session is free. */
  readonly pendingChanges: (path: string) => readonly PendingChange[];
  readonly summary: (path: string) => SessionSummary | undefined;
  readonly arrangement: Arrangement;
  /** True if a row is expanded when the editor first shows it. */
  readonly isExpanded: (row: ViewRow) => boolean;
}

/** The editor cuts texts at the view's width; longer ones than this aren't passed to it. */
const TITLE_LENGTH = 200;
/** A label precedes the text, so it must leave some of it visible. */
const LABEL_LENGTH = 60;

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

export function createTreeItem(row: ViewRow, context: RowContext): vscode.TreeItem {
  const item = buildTreeItem(row, context);
  item.id = row.id;
  return item;
}

/** Everything visible or spoken of an item except its expansion, which is the editor's. Items with equal fingerprints need no refresh. */
export function treeItemFingerprint(item: vscode.TreeItem): string {
  const { label, description, contextValue, iconPath, resourceUri, accessibilityInformation } = item;
  const icon = iconPath instanceof vscode.ThemeIcon ? [iconPath.id, iconPath.color?.id] : [];
  return JSON.stringify([label, description, contextValue, icon, resourceUri?.toString(), accessibilityInformation?.label]);
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

function projectItem(row: ProjectRow, { isExpanded, now }: RowContext): vscode.TreeItem {
  const { cwd, project } = row;
  const item = new vscode.TreeItem(words.projectName(cwd), isExpanded(row) ? Expanded : Collapsed);
  const count = words.sessionCount(project.items.length);
  item.description = words.joinParts(project.showsPath ? shortPath(cwd) : undefined, count, words.age(project.newest, now));
  item.iconPath = themeIcon(cwd === '' ? 'question' : project.inWorkspace ? 'root-folder-opened' : 'folder');
  item.contextValue = cwd === '' ? 'nowhere' : contextValueOf('project', { old: hasOld(project) });
  const kind = project.inWorkspace ? t('project of this workspace') : t('project');
  item.accessibilityInformation = {
    label: [words.projectName(cwd), kind, count, words.ago(project.newest, now), shortPath(cwd)].filter(Boolean).join(', '),
  };
  return item;
}

/** The row of a day or a program. */
function groupItem(row: GroupRow, { isExpanded, now }: RowContext): vscode.TreeItem {
  const { group } = row;
  const name = group.kind === 'day' ? words.dayName(group.day) : DIALECT_FACTS[group.dialect].label;
  const item = new vscode.TreeItem(name, isExpanded(row) ? Expanded : Collapsed);
  const count = words.sessionCount(group.items.length);
  item.description = words.joinParts(count, group.kind === 'day' ? undefined : words.age(group.newest, now));
  item.iconPath = themeIcon(group.kind === 'day' ? 'calendar' : 'terminal');
  item.contextValue = 'group';
  item.accessibilityInformation = { label: [name, count].join(', ') };
  return item;
}

/** True if any session of the project has an old version. */
function hasOld({ items }: Project): boolean {
  const waiting = [...items];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (item.kind !== 'session') continue;
    if (item.summary.isOld) return true;
    waiting.push(...item.children);
  }
  return false;
}

function sessionItem(row: SessionRow, { now, isLive, presence, pendingChanges, isExpanded, arrangement }: RowContext): vscode.TreeItem {
  const { path, item: session } = row;
  const { summary, isSubagent, forkedFrom, children } = session;
  const isSuspect = summary.suspectedTip !== undefined;
  const live = isLive(path);
  const pending = pendingChanges(path);
  const title = words.sessionTitle(summary);
  const label = session.hasParentTitle ? words.forkedFrom(title) : title;
  const item = new vscode.TreeItem(words.truncate(label, TITLE_LENGTH), isExpanded(row) ? Expanded : Collapsed);
  const forks = children.filter((other) => other.kind === 'session' && !other.isSubagent).length;
  const program = DIALECT_FACTS[summary.dialect].label;
  const state = [live ? t('running') : undefined, words.pendingChangesText(pending)];
  const forked = forks === 0 ? undefined : words.forkCount(forks);
  const icon = live ? themeIcon('record', 'charts.green') : sessionIcon(session);
  item.description = words.joinParts(
    ...state,
    MARK_ICONS.has(icon.id) ? undefined : words.pinText(summary.marks),
    sortedBy(session, arrangement),
    words.age(arrangement.sort === 'created' ? summary.created : summary.modified, now),
    arrangement.group === 'project' ? undefined : words.projectName(summary.cwd),
    forkedFrom && words.shortForkOrigin(forkedFrom),
    session.showsProgram ? program : undefined,
    forked,
  );
  item.iconPath = icon;
  item.contextValue = contextValueOf('session file readable', {
    writable: summary.writable,
    old: summary.isOld,
    suspect: isSuspect,
    live,
    waits: pending.length > 0,
  });
  const kind = isSubagent ? t('subagent session') : isFork(summary) ? t('forked session') : t('session');
  // The reasons behind the marks are otherwise only in the hover.
  const spoken = [
    live ? words.runningText(presence(path)) : undefined,
    ...pending.map((change) => words.joinParts(words.pendingChangeText(change), words.pendingReason(change))),
    isReadOnly(summary) ? t('read-only') : undefined,
    summary.problems === 0 ? undefined : words.irregularityCount(summary.problems),
    summary.marks && words.marksText(summary.marks),
    isSuspect ? words.suspectText() : undefined,
    sortedBy(session, arrangement),
    words.ago(summary.modified, now),
    arrangement.group === 'project' ? undefined : words.projectName(summary.cwd),
    summary.isPartial ? undefined : words.messageCount(summary.messageCount),
    program,
    forked,
    forkedFrom && words.forkOriginText(forkedFrom),
  ];
  item.accessibilityInformation = { label: [title, kind, ...spoken].filter(Boolean).join(', ') };
  return item;
}

/** The icons of pinned and archived sessions. Where another icon has their place, the row says it in words. */
const MARK_ICONS: ReadonlySet<string> = new Set(['pinned', 'archive']);

function sessionIcon({ summary, isSubagent }: ReadableItem): vscode.ThemeIcon {
  if (summary.suspectedTip !== undefined) return themeIcon('warning');
  if (summary.marks?.isArchived) return themeIcon('archive', 'disabledForeground');
  if (summary.marks?.isPinned) return themeIcon('pinned');
  return themeIcon(isSubagent ? 'hubot' : isFork(summary) ? 'repo-forked' : 'comment-discussion');
}

/** The value that sessions are sorted by, unless that is a part of each row. */
function sortedBy({ cost, size }: SessionRow['item'], { sort }: Arrangement): string | undefined {
  if (sort === 'cost') return cost === undefined || cost === 0 ? undefined : words.dollars(cost);
  return sort === 'size' ? words.fileSize(size) : undefined;
}

/** False while it isn't known. */
const isReadOnly = ({ writable, isPartial }: SessionSummary): boolean => !writable && isPartial !== true;

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
  const item = new vscode.TreeItem(labeled(words.shownText(head), label), None);
  item.iconPath = entryIcon(head);
  item.contextValue = contextValueOf('entry file readable', {
    writable: summary(path)?.writable === true,
    live: isLive(path),
    labeled: label !== undefined,
  });
  if (isLeaf) {
    item.description = t('← active');
    item.resourceUri = LEAF_URI;
  }
  item.accessibilityInformation = {
    label: [label === undefined ? undefined : t('label {0}', label), words.spokenText(head), isLeaf ? t('current leaf') : undefined]
      .filter(Boolean)
      .join(', '),
  };
  return item;
}

/** Commands apply to the branch's tip. */
function branchItem(row: BranchRow, { now, summary, isLive, isExpanded }: RowContext): vscode.TreeItem {
  const { head, tipLabel, turnCount: turns, visibleCount: visible, newest } = row.branch;
  const label = tipLabel ?? row.branch.label;
  const size = turns === 0 ? words.entryCount(visible) : words.turnCount(turns);
  const item = new vscode.TreeItem(labeled(words.shownText(head), label), isExpanded(row) ? Expanded : Collapsed);
  item.description = words.joinParts(size, words.age(newest, now));
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

function noteItem({ text }: NoteRow): vscode.TreeItem {
  const item = new vscode.TreeItem(words.suspectText(), None);
  item.description = t('a newer branch ends at “{0}”', words.truncate(text, TITLE_LENGTH));
  item.iconPath = themeIcon('warning', 'list.warningForeground');
  item.contextValue = 'note suspect';
  item.tooltip = `${words.suspectText()}\n${item.description}`;
  item.accessibilityInformation = { label: words.joinParts(words.suspectText(), t('a newer branch ends at “{0}”', text)) };
  return item;
}

function pendingChangeItem({ waiting }: PendingChangeRow): vscode.TreeItem {
  const { stuck } = waiting;
  const item = new vscode.TreeItem(words.pendingChangeText(waiting), None);
  item.description = words.pendingReason(waiting);
  item.iconPath = stuck ? themeIcon('warning', 'list.warningForeground') : themeIcon('clock');
  item.contextValue = 'waiting';
  item.tooltip = words.joinParts(words.pendingChangeText(waiting), item.description);
  item.accessibilityInformation = { label: words.joinParts(words.pendingChangeText(waiting), item.description) };
  return item;
}

function problemItem(row: ProblemRow): vscode.TreeItem {
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

function moreItem(row: MoreRow): vscode.TreeItem {
  const title = words.moreText(row, MORE_ROWS);
  const item = new vscode.TreeItem(title, None);
  if (row.hidden > MORE_ROWS) item.description = t('{0} in all', row.hidden.toLocaleString(vscode.env.language));
  item.iconPath = themeIcon(row.side === 'earlier' ? 'fold-up' : 'fold-down');
  item.contextValue = 'more';
  item.command = { command: SHOW_MORE, title, arguments: [row] };
  return item;
}

/** Puts the label before the text, as pi does, and highlights it. */
function labeled(text: string, label: string | undefined): string | vscode.TreeItemLabel {
  if (label === undefined) return text;
  const mark = `[${words.truncate(label, LABEL_LENGTH)}]`;
  return { label: `${mark} ${text}`, highlights: [[0, mark.length]] };
}

/** Builds a `contextValue`: words that the `when` clauses of menus match individually. */
function contextValueOf(always: string, more: Readonly<Record<string, boolean>>): string {
  return [always, ...Object.keys(more).filter((name) => more[name] === true)].join(' ');
}
