/** The row of a session. */
import * as vscode from 'vscode';
import type { Arrangement } from '../../contract';
import { canUnarchive, DIALECT_FACTS, type SessionSummary } from '../../core/index';
import type { ReadableItem } from '../projects/projects';
import { familyCounts, shownState, type ShownState } from '../projects/familyCounts';
import { forkCount } from '../projects/shownCounts';
import type { SessionRow } from '../rows/viewRows';
import { themeIcon } from './icons';
import { ageUri } from './rowBadges';
import { contextValueOf, showContext, type RowContext } from './rowContext';
import * as words from './rowText';

const { t } = vscode.l10n;
const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** The beginning of a title tells sessions apart; the rest would leave no room for the description in any usual width. */
const TITLE_LENGTH = 60;

export function sessionItem(
  row: SessionRow,
  { now, isLive, presence, needsInput, pendingChanges, isExpanded, arrangement, showsBadges, opensOnClick }: RowContext,
): vscode.TreeItem {
  const { path, item: session } = row;
  const { summary, isSubagent, forkedFrom, copyOf } = session;
  const isSuspect = summary.suspectedTip !== undefined;
  const live = isLive(path);
  const waits = needsInput(path);
  const pending = pendingChanges(path);
  const title = words.sessionTitle(summary);
  const label = words.truncate(session.hasParentTitle ? words.forkedFrom(title) : title, TITLE_LENGTH);
  const item = new vscode.TreeItem(words.joinParts(sortKey(session, arrangement), label), isExpanded(row) ? Expanded : Collapsed);
  const forks = forkCount(session);
  const program = DIALECT_FACTS[summary.dialect].label;
  const forked = forks === 0 ? undefined : words.forkCount(forks);
  const state = shownState(session, { isLive, needsInput });
  const stateText = words.shownStateText(state);
  const counts = familyCounts(session, { isLive, needsInput });
  const family = counts && words.familyText(counts);
  // The warning about the next prompt is more important than that the last one has no answer.
  const isOutdone = isSuspect && state !== 'waiting' && state !== 'running' && state !== 'failed';
  const icon = (isOutdone ? undefined : STATE_ICONS[state]) ?? sessionIcon(session);
  const time = arrangement.sort === 'created' ? summary.created : summary.modified;
  const badge = showsBadges ? ageUri(time, now) : undefined;
  if (badge) item.resourceUri = badge;
  const projectName = arrangement.group === 'project' ? undefined : words.projectName(summary.cwd);
  item.description = words.joinParts(
    stateText,
    words.pendingChangesText(pending),
    showsBadges ? undefined : words.age(time, now),
    session.agent,
    words.tagsText(session.tags),
    MARK_ICONS.has(icon.id) ? undefined : words.pinText(summary.marks, session.isPinned),
    arrangement.sort === 'cost' ? undefined : costText(session),
    family,
    session.worktree ?? projectName,
    forkedFrom && words.shortForkOrigin(forkedFrom),
    session.showsProgram ? program : undefined,
    copyOf && words.copyText(copyOf),
    session.agent === undefined ? words.agentText(summary.marks?.agent) : undefined,
    summary.machine,
    forked,
  );
  item.iconPath = icon;
  // With a command, the editor expands a row only by its arrow. That's decided before tooltips are resolved.
  if (opensOnClick) item.command = showContext(row);
  item.contextValue = contextValueOf('session file readable', {
    writable: summary.writable,
    old: summary.isOld,
    suspect: isSuspect,
    damaged: summary.problems > 0 && DIALECT_FACTS[summary.dialect].writable && !summary.isProtected,
    live,
    archivable: DIALECT_FACTS[summary.dialect].writable && !summary.marks?.isArchived && !summary.isProtected,
    archived: canUnarchive(path) && !summary.isProtected,
    deletable: (!summary.marks?.isArchived || canUnarchive(path)) && !summary.isProtected,
    pinnable: !session.isPinned && !summary.marks?.isPinned && !summary.marks?.isArchived,
    unpinnable: session.isPinned,
    waits: pending.length > 0,
    subagent: isSubagent,
  });
  const kind = copyOf ? words.copyText(copyOf) : isSubagent ? t('subagent session') : isFork(summary) ? t('forked session') : t('session');
  // Otherwise the reasons for the marks are only in the hover.
  const spoken = [
    live || waits ? words.runningText(presence(path)) : undefined,
    state === 'running' ? undefined : stateText,
    family,
    ...pending.map((change) => words.joinParts(words.pendingChangeText(change), words.pendingReason(change))),
    isReadOnly(summary) ? t('read-only') : undefined,
    summary.problems === 0 ? undefined : words.irregularityCount(summary.problems),
    words.marksText(summary.marks, session.isPinned),
    session.tags && words.spokenTags(session.tags),
    session.note === undefined ? undefined : words.noteText(session.note),
    isSuspect ? words.suspectText() : undefined,
    spokenKey(session, arrangement),
    words.ago(summary.modified, now),
    session.worktree === undefined ? projectName : words.worktreeText(session.worktree),
    summary.isPartial ? undefined : words.messageCount(summary.messageCount),
    program,
    words.agentText(session.agent ?? summary.marks?.agent),
    summary.machine === undefined ? undefined : words.machineText(summary.machine),
    forked,
    forkedFrom && words.forkOriginText(forkedFrom),
  ];
  item.accessibilityInformation = { label: [title, kind, ...spoken].filter(Boolean).join(', ') };
  return item;
}

/** The icons of states: what a person looks for first. */
const STATE_ICONS: Readonly<Record<ShownState, vscode.ThemeIcon | undefined>> = {
  waiting: themeIcon('comment-unresolved', 'list.warningForeground'),
  running: themeIcon('record', 'charts.green'),
  failed: themeIcon('error', 'errorForeground'),
  interrupted: themeIcon('stop-circle', 'list.warningForeground'),
  unanswered: themeIcon('comment-draft', 'list.warningForeground'),
  question: themeIcon('question', 'list.warningForeground'),
  todos: themeIcon('checklist', 'charts.blue'),
  done: undefined,
};

/** The icons of pinned and archived sessions. If another icon has their place, the row says it in words. */
const MARK_ICONS: ReadonlySet<string> = new Set(['pinned', 'archive']);

function sessionIcon({ summary, isPinned, isSubagent, copyOf }: ReadableItem): vscode.ThemeIcon {
  if (summary.suspectedTip !== undefined) return themeIcon('warning');
  if (summary.marks?.isArchived) return themeIcon('archive', 'descriptionForeground');
  if (isPinned || summary.marks?.isPinned) return themeIcon('pinned');
  if (copyOf) return themeIcon(copyOf.hasDiverged ? 'repo-forked' : 'files');
  return themeIcon(isSubagent ? 'hubot' : isFork(summary) ? 'repo-forked' : 'comment-discussion');
}

/** The costs of a subagent, and of a session with subagents. */
function costText({ cost = 0, familyCost = 0, isSubagent, children }: SessionRow['item']): string | undefined {
  const isFamily = children.some((one) => one.kind === 'session' && one.isSubagent) && familyCost > cost;
  const own = cost > 0 && (isSubagent || isFamily) ? words.dollars(cost) : undefined;
  return words.joinParts(own, isFamily ? words.familyCostText(words.dollars(familyCost)) : undefined) || undefined;
}

/** The value that sessions are sorted by, as it stands before the title. Times are badges. */
function sortKey({ cost = 0, size }: SessionRow['item'], { sort }: Arrangement): string | undefined {
  if (sort === 'cost') return cost === 0 ? undefined : words.shortDollars(cost);
  return sort === 'size' ? words.fileSize(size) : undefined;
}

/** The value that sessions are sorted by, for reading aloud. */
function spokenKey(item: SessionRow['item'], { sort }: Arrangement): string | undefined {
  const { cost = 0, size } = item;
  if (sort === 'size') return words.fileSize(size);
  return costText(item) ?? (sort === 'cost' && cost > 0 ? words.dollars(cost) : undefined);
}

/** False while it isn't known. */
const isReadOnly = ({ writable, isPartial }: SessionSummary): boolean => !writable && isPartial !== true;

const isFork = (summary: SessionSummary): boolean => summary.parentSession !== undefined;
