/** The texts of rows, in the person's language. */
import { basename } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import * as vscode from 'vscode';
import {
  beginning,
  ageFormatter,
  type CopyOf,
  isBranchMark,
  isOriginMark,
  type EntryHead,
  folderName,
  relativeTimeFormatter,
  SessionError,
  uiLine,
  type PendingChange,
  type Presence,
  type SessionMarks,
  type SessionState,
  shortPath,
} from '../../core/index';
import { formatCost } from '../../ui/formatNumbers';
import { localizeError, localizeProblem, localizeTitle, localizeRow } from '../../ui/localize';
import type { FamilyCounts, ShownState } from '../projects/familyCounts';
import type { Day, ForkOrigin } from '../projects/sessionGroups';
import type { MoreRow } from '../rows/viewRows';
import { entryRowText } from './entryText';

const { t } = vscode.l10n;

/** The text of an entry's row. */
export const shownText = (head: EntryHead): string => markText(head) ?? entryRowText(head);

/** The text of an entry with its role, for accessible names and hovers. */
export const spokenText = (head: EntryHead): string => markText(head) ?? localizeRow(head);

/** The text of an entry of ours, whose own names its `customType`. */
function markText(head: EntryHead): string | undefined {
  if (isBranchMark(head)) return t('Branch starts here');
  return isOriginMark(head) ? t('Origin of this session') : undefined;
}

const formatAgo = relativeTimeFormatter(vscode.env.language);
const formatAge = ageFormatter(vscode.env.language);

/** @param time milliseconds since 1970. @returns an empty string if `time` is 0 */
export const ago = (time: number, now: number): string => formatAgo(time, now);

/** A short age, such as `12m`. @param time milliseconds since 1970. @returns an empty string if `time` is 0 */
export const age = (time: number, now: number): string => formatAge(time, now);

/**
 * Makes the formats of times before a row needs them, each in a separate turn of the event loop: the first one takes
 * more than ten milliseconds.
 */
export async function prepareTimes(): Promise<void> {
  const now = Date.now();
  for (const format of [age, ago])
    for (const days of [0.5, 30]) {
      await turn();
      format(now - days * 86_400_000, now);
    }
}

export const messageCount = (count: number): string => (count === 1 ? t('1 message') : t('{0} messages', count));
export const turnCount = (count: number): string => (count === 1 ? t('1 turn') : t('{0} turns', count));
export const entryCount = (count: number): string => (count === 1 ? t('1 entry') : t('{0} entries', count));
export const forkCount = (count: number): string => (count === 1 ? t('1 fork') : t('{0} forks', count));
export const subagentCount = (count: number): string => (count === 1 ? t('1 subagent') : t('{0} subagents', count));

/** The number of a session's subagents, and of those in a state that matters, such as `15 subagents: 3 running, 1 failed`. */
export function familyText({ total, running, waiting, failed }: FamilyCounts): string {
  const states = [
    running === 0 ? undefined : t('{0} running', running),
    waiting === 0 ? undefined : t('{0} waiting', waiting),
    failed === 0 ? undefined : t('{0} failed', failed),
  ].filter((state) => state !== undefined);
  return states.length === 0 ? subagentCount(total) : t('{0}: {1}', subagentCount(total), states.join(', '));
}

/** The state of a session in a word; `undefined` if nothing is open. */
export function shownStateText(state: ShownState): string | undefined {
  switch (state) {
    case 'waiting':
      return t('needs input');
    case 'running':
      return t('running');
    case 'failed':
      return stateText('failed');
    case 'interrupted':
      return t({ message: 'interrupted', comment: 'State of a session that was stopped' });
    case 'unanswered':
      return t({ message: 'unanswered', comment: 'State of a session whose last message has no answer' });
    case 'question':
      return t({ message: 'asks you', comment: 'State of a session whose last answer ends with a question to the person' });
    case 'todos':
      return t({ message: 'open todos', comment: 'State of a session whose list of todos has open ones' });
    case 'done':
      return undefined;
  }
}

export const familyCostText = (cost: string): string => t('{0} with subagents', cost);

export const needsInputCount = (count: number): string => (count === 1 ? t('1 session needs input') : t('{0} sessions need input', count));
export const unfinishedCount = (count: number): string => t('{0} unfinished', count);
export const sessionCount = (count: number): string => (count === 1 ? t('1 session') : t('{0} sessions', count));
export const irregularityCount = (count: number): string =>
  count === 1 ? t('1 problem in this file') : t('{0} problems in this file', count);

export const skippedLineCount = (count: number): string =>
  count === 1 ? t('1 line couldn’t be read') : t('{0} lines couldn’t be read', count);

export const readProgress = (done: number, total: number): string => t('{0} of {1} read', done, total);

/** The message about reading, besides its progress: a problem, or that it was stopped. Empty in most cases. */
export function readingNotice({
  done,
  total,
  isStopped,
  problem,
}: {
  readonly done: number;
  readonly total: number;
  readonly isStopped?: true;
  readonly problem?: SessionError;
}): string {
  if (problem) return localizeProblem(problem);
  return isStopped ? t('Stopped reading sessions ({0}). Refresh to continue.', readProgress(done, total)) : '';
}

/** Names the roots that are listed only in part. */
export const truncatedNotice = (paths: readonly string[]): string =>
  paths.length === 0
    ? ''
    : t(
        'A session folder has too many files to list: {0}. Choose the folder that only holds sessions instead.',
        paths.map(shortPath).join(', '),
      );

export { localizeSessionTitle as sessionTitle } from '../../ui/localize';
export const fileName = (path: string): string => basename(path);

/** Joins the parts of a description; omits empty ones. */
export const joinParts = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');

export function projectName(cwd: string): string {
  return cwd === '' ? t('Unknown project') : folderName(cwd) || cwd;
}

/** The reason for the warning at a session whose leaf looks like an accident. */
export const suspectText = (): string => t('Will resume on an older branch');

export const dollars = formatCost;

/** A cost in few characters: with cents, such as `$1.20` or `<$0.01`. */
export const shortDollars = (cost: number): string => (cost < 0.01 ? `<${dollars(0.01)}` : dollars(Math.round(cost * 100) / 100));

/** A size in bytes, as the editor writes it: `1.2 MB`. */
export function fileSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${(bytes / 1024 ** step).toLocaleString(vscode.env.language, { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step] ?? ''}`;
}

/** Gives the reason why a pending change isn't applied yet, or can't be. */
export const pendingReason = ({ stuck }: PendingChange): string =>
  stuck ? reasonWithoutPath(new SessionError(stuck.code, stuck.template, stuck.args)) : t('applies when the session closes');

export function dayName(day: Day): string {
  switch (day) {
    case 'pinned':
      return t({ message: 'Pinned', comment: 'The group of pinned sessions' });
    case 'today':
      return t('Today');
    case 'yesterday':
      return t('Yesterday');
    case 'lastWeek':
      return t('Last 7 Days');
    case 'older':
      return t('Older');
  }
}

/** One pending change. */
export function pendingChangeText({ change, stuck }: PendingChange): string {
  const what = changeText(change);
  return stuck
    ? t({ message: 'can’t apply: {0}', args: [what], comment: 'A pending change, such as: name “x”' })
    : t({ message: 'pending: {0}', args: [what], comment: 'A change that is applied when the session closes, such as: name “x”' });
}

/** A session's pending changes in few words; `undefined` if there are none. */
export function pendingChangesText(waiting: readonly PendingChange[]): string | undefined {
  const [first] = waiting;
  if (!first) return undefined;
  return waiting.length === 1 ? pendingChangeText(first) : t('{0} pending changes', waiting.length);
}

function changeText(change: PendingChange['change']): string {
  switch (change.kind) {
    case 'label':
      return change.label.trim() === '' ? t('clear label') : t('label “{0}”', truncate(change.label, 30));
    case 'rename':
      return change.name.trim() === '' ? t('clear name') : t('name “{0}”', truncate(change.name, 30));
    case 'branch':
      return t('branch');
  }
}

export function forkOriginText({ title, cwd, path }: ForkOrigin): string {
  const name = title === undefined ? undefined : truncate(localizeTitle(title), 200);
  if (name !== undefined && cwd !== undefined) return t('forked from “{0}” in {1}', name, projectName(cwd));
  if (cwd !== undefined) return t('forked from a session in {0}', projectName(cwd));
  return path === undefined ? t('forked from a deleted session') : t('forked from {0}, which was deleted', basename(path));
}

/** Like {@link forkOriginText}, for a row: the icon says already that it is a fork. */
export function shortForkOrigin({ title, cwd }: ForkOrigin): string {
  if (title !== undefined) return forkedFrom(localizeTitle(title));
  return cwd === undefined ? t('from a deleted session') : t('from {0}', projectName(cwd));
}

export const forkedFrom = (title: string): string => t('from “{0}”', truncate(title, 200));

export function moreText({ side, hidden, of }: MoreRow, step: number): string {
  const count = Math.min(hidden, step);
  switch (of) {
    case 'entries':
      return side === 'earlier' ? t('Show {0} Earlier', count) : t('Show {0} Later', count);
    case 'sessions':
      return side === 'later' ? t('Show {0} Older', count) : t('Show {0} Newer', count);
    case 'projects':
      return t('Show {0} More Projects', count);
    case 'worktrees':
    case 'problems':
      return t('Show {0} More', count);
  }
}

/** Describes the state that a session's program keeps of it, and its pin. @param isPinned true if it was pinned in the view */
export const marksText = (marks: SessionMarks | undefined, isPinned: boolean): string =>
  joinParts(marks?.state && stateText(marks.state), pinText(marks, isPinned));

/** Returns the note that a session is a copy of the one above it. */
export const copyText = ({ hasDiverged }: CopyOf): string =>
  hasDiverged
    ? t({ message: 'diverged copy', comment: 'A copy of a session that was continued in another way on another machine' })
    : t({ message: 'copy', comment: 'A copy of a session on another machine' });

/** Names the machine that a session comes from. */
export const machineText = (machine: string): string => t('on {0}', machine);

/** Names the agent whose session it is. OpenClaw's usual agent has the name `main`, which says nothing. */
export const agentText = (agent: string | undefined): string | undefined =>
  agent === undefined || agent === 'main' ? undefined : t('agent {0}', agent);

/** Names the linked worktree that a session is in. */
export const worktreeText = (name: string): string => t('in worktree {0}', name);

/** Returns whether a session is pinned or archived, in words. @param isPinned true if it was pinned in the view */
export const pinText = (marks: SessionMarks | undefined, isPinned: boolean): string =>
  joinParts(isPinned || marks?.isPinned ? t('pinned') : undefined, marks?.isArchived ? t('archived') : undefined);

/** The tags of a session in its row. */
export const tagsText = (tags: readonly string[] = []): string => tags.map((tag) => `#${tag}`).join(' ');

/** The tags of a session for screen readers and hovers. */
export const spokenTags = (tags: readonly string[]): string => t('Tags: {0}', tags.join(', '));

export const noteText = (note: string): string => t('Note: {0}', note);

function stateText(state: SessionState): string {
  switch (state) {
    case 'working':
      return t({ message: 'working', comment: 'State of a session as its program reports it' });
    case 'waiting':
      return t('needs input');
    case 'failed':
      return t({ message: 'failed', comment: 'State of a session as its program reports it' });
    case 'idle':
      return t({ message: 'done', comment: 'State of a session as its program reports it' });
  }
}

/** An error about a file, without the file's path. */
export function reasonWithoutPath(error: unknown): string {
  if (!(error instanceof SessionError)) return localizeError(error);
  const sentence = localizeProblem({ template: error.template, args: { ...error.args, path: '' } }).trimEnd();
  return /[:\uFF1A]$/.test(sentence) ? sentence.slice(0, -1).trimEnd() : sentence;
}

/** One line of at most `length` characters, cut between words if possible. */
export function truncate(text: string, length: number): string {
  const line = uiLine(text);
  if (line.length <= length) return line;
  const gap = line.lastIndexOf(' ', length - 1);
  return `${beginning(line, gap > length * 0.6 ? gap : length - 1).replace(/[\s.,;:!?]+$/, '')}…`;
}

/** Returns the note that a session is running, with the program and process if they are known. */
export function runningText(presence: Presence | undefined): string {
  const sign =
    presence === undefined || presence.state === 'free' ? undefined : presence.signs.find(({ program }) => program !== undefined);
  if (sign?.program === undefined) return t('Running: the file is growing');
  return sign.pid === undefined ? t('Running: {0}', sign.program) : t('Running: {0} (PID {1})', sign.program, sign.pid);
}
