/** The command that archives old and large sessions, or moves them to the trash. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import {
  cleanUp,
  countOldSessions,
  defined,
  DIALECTS,
  isArchivedSession,
  pathKey,
  planCleanUp,
  plannedCleanUp,
  SessionError,
  type CleanUpFilter,
  type CleanUpPlan,
  type CleanUpResult,
  type CleanUpTarget,
} from '../../core/index';
import { localizeError } from '../../ui/localize';
import { takeTurn } from '../handler/changeEach';
import { withCancellableProgress, type ProgressOptions } from '../handler/cancellableProgress';
import { flag, optionalAmount, optionalFolder, optionalOneOf } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler, CommandInvocation } from '../handler/commandHandler';
import { formatBytes } from '../handler/formatBytes';
import type { Notifier } from '../handler/notifications';
import type { UndoAction } from '../changes/undoCommands';
import { choose } from '../handler/prompts';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { chooseOldSessions } from './chooseOldSessions';
import { archiveHint, confirmCleanUp, targetLabel } from './confirmCleanUp';
import { outsideFolders, subagentPaths } from './withSubagents';
import { outcomeReport } from '../handler/outcomeReport';
import type { ReportDocuments } from '../handler/reportDocuments';

type Answer = CommandContract['sessionTree.cleanUp']['answer'];

const TARGETS = ['archive', 'trash'] as const satisfies readonly CleanUpTarget[];
const DEFAULT_DAYS = 90;
const LARGE = 10;
const MB = 1024 * 1024;
const CHOICES = [
  ...[30, DEFAULT_DAYS, 180, 365].map((olderThanDays) => ({ olderThanDays })),
  { olderThanDays: 30, largerThan: LARGE * MB },
];

export function cleanUpCommands(deps: CommandDeps, notifier: Notifier, reports: ReportDocuments, undoAction: UndoAction) {
  const plan = (filter: CleanUpFilter, to: CleanUpTarget, options: Partial<ProgressOptions> = {}) =>
    planCleanUp({ sessions: deps.sessions(), filter, to, writer: deps.writer, ...options });

  const planSubagents = (paths: readonly string[], to: CleanUpTarget, options: ProgressOptions) => {
    const sessions = paths.flatMap((path) => deps.summary(path) ?? []);
    return planCleanUp({ sessions, filter: {}, to, writer: deps.writer, withSubagents: true, ...options });
  };

  const carryOut = async (
    planned: CleanUpPlan,
    options: Partial<ProgressOptions> & { readonly keepFolder?: boolean } = {},
  ): Promise<CleanUpResult> => {
    const { writer, trash } = await deps.writes();
    const result = await cleanUp(planned, { writer, trash, ...options });
    await deps.refreshAfterWrite(result.cleaned.flatMap(({ path, newPath }) => (newPath === undefined ? [path] : [path, newPath])));
    return result;
  };

  const handler: CommandHandler<Answer> = {
    title: vscode.l10n.t('Clean Up Old Sessions'),
    runWithArguments: async (args) => {
      const to = optionalOneOf(args, 'to', TARGETS);
      if (!to) throw new SessionError('invalid', '“{name}” must be one of: {values}', { name: 'to', values: TARGETS.join(', ') });
      const project = optionalFolder(args, 'project');
      const program = optionalOneOf(args, 'program', DIALECTS);
      const filter: CleanUpFilter = {
        olderThanDays: optionalAmount(args, 'olderThanDays') ?? DEFAULT_DAYS,
        largerThan: optionalAmount(args, 'largerThan') ?? 0,
        ...defined({ isInProject: project === undefined ? undefined : isIn(project), program }),
      };
      const planned = await plan(filter, to);
      const { cleaned, left } = flag(args, 'dryRun') ? plannedCleanUp(planned) : await deps.turns.take(() => carryOut(planned));
      return { cleaned: [...cleaned], left: left.map(({ path, reason }) => ({ path, reason: reason.message })) };
    },
    runInteractive: async (call) => {
      const filter = await chooseFilter(deps, call);
      const to = await chooseTarget(call.title);
      const planned = await withCancellableProgress(vscode.l10n.t('Checking sessions'), (options) => plan(filter, to, options));
      const { found, left } = planned;
      const [first] = left;
      if (found.length === 0)
        throw first
          ? first.reason
          : new SessionError(
              'not-found',
              'No session matches. A session is as old as its last message or the last change of its file, whichever is newer.',
            );
      const chosen = await chooseOldSessions(deps, call.title, planned);
      const subagents = (await subagentPaths(deps, [...chosen])).filter((path) => to === 'trash' || !isArchivedSession(path));
      const isWithSubagents = await confirmCleanUp(deps, planned, chosen, subagents);
      const names = new Map([...chosen, ...subagents].map((path) => [path, sessionDisplayName(deps, path)]));
      const goToPlace = call.rememberPlace();
      const result = await takeTurn(deps, call.title, async (options) => {
        // Those in the folders of sessions move to the trash with these.
        const others = !isWithSubagents ? [] : to === 'archive' ? subagents : outsideFolders(subagents, [...chosen]);
        const along = await planSubagents(others, to, options);
        const all = { to, found: [...along.found, ...found.filter(({ path }) => chosen.has(path))], left: along.left };
        return carryOut(all, { ...options, keepFolder: subagents.length > 0 && !isWithSubagents });
      });
      const summary = summaryText(result, to);
      notifier.info(
        summary,
        {
          title: vscode.l10n.t('Show Report'),
          run: () =>
            reports.show(
              call.title,
              reportText(summary, result, (path) => names.get(path) ?? ''),
            ),
        },
        ...(result.cleaned.length > 0 ? [undoAction()] : []),
      );
      await goToPlace();
    },
  };
  return { 'sessionTree.cleanUp': handler };
}

const isIn = (project: string): ((cwd: string) => boolean) => {
  const key = pathKey(project, process.platform);
  return (cwd) => pathKey(cwd, process.platform) === key;
};

/** Lets the person choose an age; on the row of a project only its sessions are meant. */
async function chooseFilter(deps: CommandDeps, call: CommandInvocation): Promise<CleanUpFilter> {
  const [row] = call.rows;
  const project = row?.row === 'project' ? { isInProject: isIn(row.cwd) } : {};
  const counts = await withCancellableProgress(vscode.l10n.t('Checking sessions'), (options) =>
    countOldSessions({ sessions: deps.sessions(), filter: project, ...options }, CHOICES),
  );
  return choose<CleanUpFilter>(
    call.title,
    vscode.l10n.t('Select which sessions to show'),
    CHOICES.map((choice: CleanUpFilter & (typeof CHOICES)[number], index) => ({
      label:
        choice.largerThan === undefined
          ? vscode.l10n.t('Older than {days} days', { days: choice.olderThanDays })
          : vscode.l10n.t('Larger than {size} MB and older than {days} days', { size: LARGE, days: choice.olderThanDays }),
      description: counts[index] === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{count} sessions', { count: counts[index] ?? 0 }),
      value: { ...project, ...choice },
    })),
  );
}

/** Asked first: sizes, and the sessions that stay, depend on it. @throws {vscode.CancellationError} */
const chooseTarget = (title: string): Promise<CleanUpTarget> =>
  choose<CleanUpTarget>(title, vscode.l10n.t('Select what to do with them'), [
    { label: targetLabel('archive'), detail: archiveHint(), value: 'archive' },
    { label: targetLabel('trash'), value: 'trash' },
  ]);

function summaryText({ cleaned, left }: CleanUpResult, to: CleanUpTarget): string {
  const args = { count: cleaned.length, size: formatBytes(cleaned.reduce((sum, { bytes }) => sum + bytes, 0)) };
  const done =
    to === 'archive'
      ? vscode.l10n.t('Archived sessions: {count} ({size})', args)
      : vscode.l10n.t('Sessions moved to the trash: {count} ({size})', args);
  return left.length === 0 ? done : `${done}. ${vscode.l10n.t('Left as they are: {count}', { count: left.length })}`;
}

const reportText = (summary: string, { cleaned, left }: CleanUpResult, nameOf: (path: string) => string): string =>
  outcomeReport(
    summary,
    [
      [vscode.l10n.t('Left as they are'), left.map(({ path, reason }) => ({ path, detail: localizeError(reason) }))],
      [vscode.l10n.t('Cleaned up'), cleaned.map(({ path, newPath, bytes }) => ({ path, detail: newPath ?? formatBytes(bytes) }))],
    ],
    nameOf,
  );
