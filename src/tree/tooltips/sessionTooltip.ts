/** Tooltips of sessions and projects: what they are about, what they cost, and the reason for every mark of the row. */
import * as vscode from 'vscode';
import {
  DIALECT_FACTS,
  modelName,
  plainLine,
  plainRow,
  progressText,
  ReadOnlyRootError,
  sessionRecap,
  sessionUsage,
  writeRefusal,
  type PendingChange,
  type Presence,
  type Session,
  type SessionProgress,
  shortPath,
} from '../../core/index';
import { localizeProblem } from '../../ui/localize';
import type { ProjectRow, SessionRow } from '../rows/viewRows';
import { familyCounts } from '../projects/familyCounts';
import { sessionsIn } from '../projects/shownCounts';
import { leftToDo } from '../projects/unfinishedSessions';
import { isRunning } from '../items/isRunning';
import * as words from '../items/rowText';
import { unfinishedReason } from '../items/unfinishedMark';
import { formatTime, tooltipMarkdown } from './tooltipMarkdown';

const { t } = vscode.l10n;

/** Bytes up to which a session is read for its tooltip. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
const MAX_PROMPT_LENGTH = 160;
/** Facts beside the reasons for marks: a hover that is larger covers the rows that a person goes to next. */
const MAX_FACTS = 4;
const MAX_NAMED = 3;
/** Entries above the leaf in which the last answer is looked for. */
const MAX_STEPS = 1000;

export interface TooltipSource {
  readonly session: (path: string) => Promise<Session>;
  readonly presence: (path: string) => Presence | undefined;
  /** True if a session's program waits for the person. */
  readonly needsInput: (path: string) => boolean;
  /** The changes that wait until a session is closed elsewhere. */
  readonly pendingChanges: (path: string) => readonly PendingChange[];
}

/** Reads the session unless it's very large or can't be read; then only what lists know is shown. */
export async function sessionTooltip({ path, item }: SessionRow, source: TooltipSource): Promise<vscode.MarkdownString> {
  const { summary, forkedFrom } = item;
  const session = item.size > MAX_READ_BYTES ? undefined : await source.session(path).catch(() => undefined);
  const recap = await recapOf(path, summary);
  const title = words.sessionTitle(summary);
  const prompt =
    summary.firstMessage === undefined
      ? undefined
      : words.truncate(plainLine(summary.firstMessage, MAX_PROMPT_LENGTH * 2), MAX_PROMPT_LENGTH);
  // Only the first of them are shown.
  const otherFacts = [
    recap && t('Recap: {0}', words.truncate(plainLine(recap, MAX_PROMPT_LENGTH * 2), MAX_PROMPT_LENGTH)),
    ...progressFacts(session?.progress),
    words.joinParts(
      DIALECT_FACTS[summary.dialect].label,
      words.agentText(item.agent ?? summary.marks?.agent),
      summary.machine === undefined ? undefined : words.machineText(summary.machine),
      session && modelsOf(session),
      summary.isPartial ? undefined : words.messageCount(summary.messageCount),
      session && costOf(session),
    ),
    words.joinParts(
      summary.created === 0 ? undefined : t('Started {0}', formatTime(summary.created) ?? ''),
      summary.modified === 0 ? undefined : t('Last message {0}', formatTime(summary.modified) ?? ''),
    ),
    summary.problems === 0 ? undefined : words.irregularityCount(summary.problems),
    familyFact(item, source),
    forkedFrom && words.forkOriginText(forkedFrom),
    item.copyOf && copyFact(item.copyOf.hasDiverged),
    copiesOf(item),
    summary.additionalDirectories && t('Additional folders: {0}', summary.additionalDirectories.map(shortPath).join(', ')),
    session && listed((names) => t('Labels: {0}', names), new Set(session.labels.values())),
    session && listed((names) => t('Changed files: {0}', names), changedFiles(session)),
  ];
  return tooltipMarkdown({
    title,
    text: prompt === title ? undefined : prompt,
    facts: [
      ...stateFacts(path, item, source, session),
      item.note === undefined ? undefined : words.noteText(item.note),
      item.tags && words.spokenTags(item.tags),
      session && lastAnswerText(session, item.isSubagent),
      ...otherFacts.filter((fact) => fact !== undefined && fact !== '').slice(0, MAX_FACTS),
    ],
  });
}

/** Returns oh-my-pi's newest recap of a session of this machine. A hover without it has everything else. */
const recapOf = (path: string, { id, dialect, machine }: SessionRow['item']['summary']): Promise<string | undefined> =>
  dialect === 'omp' && machine === undefined ? sessionRecap(path, id).catch(() => undefined) : Promise.resolve(undefined);

/** The number and states of a session's subagents, and what they cost with it. */
function familyFact(item: SessionRow['item'], { presence, needsInput }: TooltipSource): string | undefined {
  const counts = familyCounts(item, { isLive: (path) => isRunning(presence(path)), needsInput });
  if (!counts) return undefined;
  const { familyCost } = item;
  return words.joinParts(words.familyText(counts), familyCost ? words.familyCostText(words.dollars(familyCost)) : undefined);
}

/** The beginning of the last answer on the active branch. */
function lastAnswerText({ byId, leafId }: Session, isSubagent: boolean): string | undefined {
  let head = leafId === null ? undefined : byId.get(leafId);
  for (let step = 0; head && step < MAX_STEPS; step++) {
    if (head.role === 'assistant' && (head.hasText === true || head.stopReason === 'error')) {
      const text = words.truncate(plainRow(head), MAX_PROMPT_LENGTH);
      return isSubagent ? t('Result: {0}', text) : t('Last answer: {0}', text);
    }
    head = head.parentId === null ? undefined : byId.get(head.parentId);
  }
  return undefined;
}

export function projectTooltip({ cwd, project }: ProjectRow): vscode.MarkdownString {
  const programs = new Set(project.items.flatMap((item) => (item.kind === 'session' ? [DIALECT_FACTS[item.summary.dialect].label] : [])));
  const last = formatTime(project.newest);
  return tooltipMarkdown({
    title: words.projectName(cwd),
    facts: [
      project.isMissing ? missingText(project) : undefined,
      project.inWorkspace ? t('Open in this window') : undefined,
      words.joinParts(words.sessionCount(sessionsIn(project)), [...programs].join(', ')),
      last && t('Last message {0}', last),
      cwd === '' ? t('These sessions don’t name a folder.') : shortPath(cwd),
    ],
  });
}

/** A worktree that is gone was removed rather than moved. */
const missingText = ({ worktree }: ProjectRow['project']): string =>
  worktree
    ? t('This worktree no longer exists.')
    : t('This folder doesn’t exist. If the project was moved, choose Relink Project… in the menu.');

const copyFact = (hasDiverged: boolean): string =>
  hasDiverged ? t('This copy was continued differently than the session above it.') : t('The session above this copy has all of it.');

/** Names the machines of the rows of copies below a session. */
function copiesOf({ children }: SessionRow['item']): string {
  const names = children.flatMap((one) =>
    one.kind === 'session' && one.copyOf ? [one.summary.machine === undefined ? t('this machine') : one.summary.machine] : [],
  );
  return listed((machines) => t('Also on: {0}', machines), new Set(names));
}

/** The program's recap of a session, and the agent's card. */
function progressFacts(progress: SessionProgress = {}): string[] {
  const card = progressText(progress);
  return [
    progress.recap === undefined ? '' : t('Recap: {0}', plainLine(progress.recap, MAX_PROMPT_LENGTH)),
    card === '' ? '' : t('Progress: {0}', card),
  ];
}

/** The reasons for the row's icon, words and menu. */
function stateFacts(path: string, item: SessionRow['item'], source: TooltipSource, session: Session | undefined): string[] {
  const { summary, isPinned } = item;
  const presence = source.presence(path);
  const waits = source.needsInput(path);
  const unfinished = leftToDo(item);
  const tip = summary.suspectedTip === undefined ? undefined : session?.byId.get(summary.suspectedTip);
  const refusal = summary.isProtected ? new ReadOnlyRootError(path) : session && writeRefusal(session);
  return [
    isRunning(presence) || waits ? words.runningText(presence) : '',
    waits ? t('Needs input: the last answer is complete') : '',
    unfinished && !waits && !isRunning(presence) ? unfinishedReason(unfinished) : '',
    summary.suspectedTip === undefined ? '' : `⚠ ${words.suspectText()}`,
    tip ? t('A newer branch ends at “{0}”.', words.truncate(words.shownText(tip), 100)) : '',
    ...source.pendingChanges(path).map((pending) => words.joinParts(words.pendingChangeText(pending), words.pendingReason(pending))),
    words.marksText(summary.marks, isPinned),
    refusal
      ? t('Read-only: {0}', localizeProblem({ template: refusal.template, args: { ...refusal.args, path: words.fileName(path) } }))
      : '',
  ].filter((fact) => fact !== '');
}

const modelsOf = (session: Session): string =>
  firstOf(new Set(sessionUsage(session).byModel.flatMap(({ model }) => (model ? [modelName(model)] : []))));

const costOf = (session: Session): string | undefined => {
  const { cost } = sessionUsage(session);
  return cost > 0 ? words.dollars(cost) : undefined;
};

/** The files that calls wrote or edited, in the words of their rows. */
function changedFiles({ entries }: Session): Set<string> {
  const files = new Set<string>();
  for (const { role, isError, text } of entries) {
    const path = role === 'toolResult' && isError !== true ? /^\[(?:write|edit): (.+)\]$/s.exec(text)?.[1] : undefined;
    if (path !== undefined) files.add(path);
  }
  return files;
}

const listed = (text: (names: string) => string, names: ReadonlySet<string>): string => (names.size === 0 ? '' : text(firstOf(names)));

/** The first names, and the number of the others. */
function firstOf(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, MAX_NAMED).map((name) => words.truncate(name, 60));
  return names.size > MAX_NAMED ? t('{0} and {1} more', shown.join(', '), names.size - MAX_NAMED) : shown.join(', ');
}
