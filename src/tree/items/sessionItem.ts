/** The row of a session. */
import * as vscode from 'vscode';
import type { Arrangement } from '../../contract';
import { canUnarchive, DIALECT_FACTS, type SessionSummary } from '../../core/index';
import type { ReadableItem } from '../projects/projects';
import { familyCounts, subagentState } from '../projects/familyCounts';
import { forkCount } from '../projects/shownCounts';
import { leftToDo } from '../projects/unfinishedSessions';
import type { SessionRow } from '../rows/viewRows';
import { themeIcon } from './icons';
import { contextValueOf, TITLE_LENGTH, type RowContext } from './rowContext';
import * as words from './rowText';
import { unfinishedIcon, unfinishedWord } from './unfinishedMark';

const { t } = vscode.l10n;
const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export function sessionItem(
  row: SessionRow,
  { now, isLive, presence, needsInput, pendingChanges, isExpanded, arrangement }: RowContext,
): vscode.TreeItem {
  const { path, item: session } = row;
  const { summary, isSubagent, forkedFrom, copyOf } = session;
  const isSuspect = summary.suspectedTip !== undefined;
  const live = isLive(path);
  const waits = needsInput(path);
  const pending = pendingChanges(path);
  const title = words.sessionTitle(summary);
  const label = session.hasParentTitle ? words.forkedFrom(title) : title;
  const item = new vscode.TreeItem(words.truncate(label, TITLE_LENGTH), isExpanded(row) ? Expanded : Collapsed);
  const forks = forkCount(session);
  const program = DIALECT_FACTS[summary.dialect].label;
  const state = [waits ? t('needs input') : live ? t('running') : undefined, words.pendingChangesText(pending)];
  const forked = forks === 0 ? undefined : words.forkCount(forks);
  const ended = isSubagent ? subagentState(session, { isLive, needsInput }) : undefined;
  const unfinished = isSubagent || live || waits ? undefined : leftToDo(summary);
  const endedText = unfinished ? unfinishedWord(unfinished) : ended && words.subagentStateText(ended);
  const counts = familyCounts(session, { isLive, needsInput });
  const family = counts && words.familyText(counts);
  const icon = waits
    ? themeIcon('comment-unresolved', 'charts.orange')
    : live
      ? themeIcon('record', 'charts.green')
      : ended === 'failed'
        ? themeIcon('error', 'errorForeground')
        : unfinished && !isSuspect
          ? unfinishedIcon(unfinished)
          : sessionIcon(session);
  item.description = words.joinParts(
    ...state,
    endedText,
    session.agent,
    MARK_ICONS.has(icon.id) ? undefined : words.pinText(summary.marks, session.isPinned),
    sortedBy(session, arrangement),
    words.age(arrangement.sort === 'created' ? summary.created : summary.modified, now),
    family,
    arrangement.sort === 'cost' ? undefined : costText(session),
    arrangement.group === 'project' ? session.worktree : words.projectName(summary.cwd),
    forkedFrom && words.shortForkOrigin(forkedFrom),
    session.showsProgram ? program : undefined,
    copyOf && words.copyText(copyOf),
    session.agent === undefined ? words.agentText(summary.marks?.agent) : undefined,
    summary.machine,
    forked,
  );
  item.iconPath = icon;
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
    waits ? t('needs input') : undefined,
    endedText,
    family,
    ...pending.map((change) => words.joinParts(words.pendingChangeText(change), words.pendingReason(change))),
    isReadOnly(summary) ? t('read-only') : undefined,
    summary.problems === 0 ? undefined : words.irregularityCount(summary.problems),
    words.marksText(summary.marks, session.isPinned),
    isSuspect ? words.suspectText() : undefined,
    sortedBy(session, arrangement) ?? costText(session),
    words.ago(summary.modified, now),
    arrangement.group === 'project' ? undefined : words.projectName(summary.cwd),
    session.worktree === undefined ? undefined : words.worktreeText(session.worktree),
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

/** The icons of pinned and archived sessions. If another icon has their place, the row says it in words. */
const MARK_ICONS: ReadonlySet<string> = new Set(['pinned', 'archive']);

function sessionIcon({ summary, isPinned, isSubagent, copyOf }: ReadableItem): vscode.ThemeIcon {
  if (summary.suspectedTip !== undefined) return themeIcon('warning');
  if (summary.marks?.isArchived) return themeIcon('archive', 'disabledForeground');
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

/** The value that sessions are sorted by, unless that is a part of each row. */
function sortedBy(item: SessionRow['item'], { sort }: Arrangement): string | undefined {
  const { cost, size } = item;
  if (sort === 'cost') return costText(item) ?? (cost === undefined || cost === 0 ? undefined : words.dollars(cost));
  return sort === 'size' ? words.fileSize(size) : undefined;
}

/** False while it isn't known. */
const isReadOnly = ({ writable, isPartial }: SessionSummary): boolean => !writable && isPartial !== true;

const isFork = (summary: SessionSummary): boolean => summary.parentSession !== undefined;
