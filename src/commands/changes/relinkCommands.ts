/** The command that moves the sessions of a project to the folder where the project is now. */
import { basename, dirname, isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { findMovedProject, relinkProject, SessionError, shortPath, type RelinkOptions, type RelinkResult } from '../../core/index';
import { localizeError } from '../../ui/localize';
import { workspaceFolderPaths } from '../../ui/workspaceFolders';
import { flag, requiredString } from '../handler/commandArguments';
import { takeTurn } from '../handler/changeEach';
import { withCancellableProgress } from '../handler/cancellableProgress';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';
import type { UndoAction } from './undoCommands';
import { browseChoice, browseFolder, choose, confirm, folderChoice } from '../handler/prompts';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { subagentsSentence } from '../cleanUp/withSubagents';
import { resolveProject } from '../terminal/terminalCommands';
import { outcomeReport } from '../handler/outcomeReport';
import type { ReportDocuments } from '../handler/reportDocuments';
import { newestFirst } from '../handler/sessions/newestFirst';

type Answer = CommandContract['sessionTree.relink']['answer'];

/** Files that a dialog lists. */
const MAX_LISTED = 8;

export function relinkCommands(deps: CommandDeps, notifier: Notifier, reports: ReportDocuments, undoAction: UndoAction) {
  const relink = async (options: Pick<RelinkOptions, 'from' | 'to' | 'dryRun' | 'signal' | 'onProgress'>): Promise<RelinkResult> => {
    await deps.rootsReady();
    const result = await relinkProject({ ...options, roots: deps.roots(), writer: deps.writer, untrustedPaths: deps.untrustedPaths });
    if (!options.dryRun) {
      await deps.refreshAfterWrite(result.moved.flatMap(({ path, newPath }) => [path, newPath]));
      // Forks of other projects have another parent now.
      await deps.refresh();
    }
    return result;
  };

  const handler: CommandHandler<Answer> = {
    title: vscode.l10n.t('Relink Project'),
    runWithArguments: async (args) => {
      const options = { from: requiredString(args, 'from'), to: requiredString(args, 'to'), dryRun: flag(args, 'dryRun') };
      const { moved, left } = options.dryRun ? await relink(options) : await deps.turns.take(() => relink(options));
      return { moved: [...moved], left: left.map(({ path, reason }) => ({ path, reason: reason.message })) };
    },
    runInteractive: async (call) => {
      const from = await resolveProject(deps, call);
      const to = await chooseNewFolder(deps, call.title, from);
      const name = basename(from) || from;
      const plan = await withCancellableProgress(vscode.l10n.t('Checking sessions in {name}', { name }), (options) =>
        relink({ from, to, dryRun: true, ...options }),
      );
      const [first] = plan.left;
      if (plan.moved.length === 0)
        throw first ? first.reason : new SessionError('not-found', 'This folder has no sessions to relink: {path}', { path: from });
      const names = new Map([...plan.moved, ...plan.left].map(({ path }) => [path, sessionDisplayName(deps, path)]));
      const parents = await deps.subagentParents();
      const subagents = plan.moved.filter(({ path }) => parents.has(path)).length;
      await confirm(
        relinkQuestion(plan, shortPath(to)),
        [
          vscode.l10n.t('Their headers and folders change, so that each program finds them in the new folder. You can undo this.'),
          ...(subagents > 0 ? [subagentsSentence(subagents)] : []),
          '',
          ...listOf(plan.moved.map(({ path }) => names.get(path) ?? '')),
          ...(plan.left.length === 0 ? [] : ['', vscode.l10n.t('Not relinked:')]),
          ...listOf(plan.left.map(({ path, reason }) => `${names.get(path) ?? ''} · ${localizeError(reason)}`)),
        ].join('\n'),
        vscode.l10n.t('Relink'),
      );
      const goToPlace = call.rememberPlace();
      const result = await takeTurn(deps, vscode.l10n.t('Relinking sessions in {name}', { name }), (options) =>
        relink({ from, to, ...options }),
      );
      const summary = summaryText(result);
      notifier.info(
        summary,
        {
          title: vscode.l10n.t('Show Report'),
          run: () => reports.show(vscode.l10n.t('Relink Report: {name}', { name }), reportText(summary, result, names)),
        },
        ...(result.moved.length > 0 ? [undoAction()] : []),
      );
      await goToPlace();
    },
  };
  return { 'sessionTree.relink': handler };
}

/** Lets the person choose the new folder: a likely one, or any other in the dialog. */
async function chooseNewFolder(deps: CommandDeps, title: string, from: string): Promise<string> {
  const open = workspaceFolderPaths();
  const known = [...open, ...(await newestFirst(deps.sessions())).map(({ cwd }) => cwd)].filter((folder) => isAbsolute(folder));
  const found = await findMovedProject(from, [...new Set(known)], deps.untrustedPaths);
  // A folder beside it that is open here may be the same one with a new name.
  const beside = open.filter((folder) => folder !== from && dirname(folder) === dirname(from));
  const likely = [...new Set([...found, ...beside])];
  const folder =
    likely.length === 0
      ? ''
      : await choose(title, vscode.l10n.t('Select the folder where the project is now'), [...likely.map(folderChoice), browseChoice()]);
  return folder === '' ? browseFolder(title, await folderAbove(deps, from)) : folder;
}

/** Returns the nearest folder above a missing one that is there. */
async function folderAbove({ untrustedPaths }: CommandDeps, path: string): Promise<string | undefined> {
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder))
    if ((await untrustedPaths.realPath(folder)) !== undefined) return folder;
  return undefined;
}

function relinkQuestion({ moved, left }: RelinkResult, folder: string): string {
  const count = moved.length;
  if (left.length > 0) return vscode.l10n.t('Relink {count} of {all} sessions to {folder}?', { count, all: count + left.length, folder });
  return count === 1
    ? vscode.l10n.t('Relink 1 session to {folder}?', { folder })
    : vscode.l10n.t('Relink {count} sessions to {folder}?', { count, folder });
}

function listOf(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_LISTED);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, vscode.l10n.t('and {count} more', { count: more })] : shown;
}

function summaryText({ moved, left }: RelinkResult): string {
  const parts = [
    moved.length === 1 ? vscode.l10n.t('Relinked 1 session.') : vscode.l10n.t('Relinked {count} sessions.', { count: moved.length }),
    left.length === 0
      ? ''
      : left.length === 1
        ? vscode.l10n.t('1 session stays where it is.')
        : vscode.l10n.t('{count} sessions stay where they are.', { count: left.length }),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const reportText = (summary: string, { moved, left }: RelinkResult, names: ReadonlyMap<string, string>): string =>
  outcomeReport(
    summary,
    [
      [vscode.l10n.t('Not relinked'), left.map(({ path, reason }) => ({ path, detail: localizeError(reason) }))],
      [vscode.l10n.t('Relinked'), moved.map(({ path, newPath }) => ({ path, detail: newPath }))],
    ],
    (path) => names.get(path) ?? '',
  );
