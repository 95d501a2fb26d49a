/** The command that exports several sessions into a new folder, after one review of all replacements. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import {
  defined,
  FORMAT_FACTS,
  isArray,
  BATCH_FORMATS,
  SessionError,
  BatchExport,
  shortPath,
  uiLine,
  type BatchExportResult,
} from '../../core/index';
import { localizeError } from '../../ui/localize';
import type { ReportDocuments } from '../handler/reportDocuments';
import { withCancellableProgress } from '../handler/cancellableProgress';
import { optionalOneOf, requiredString, sessionRefOf, toArguments, type CommandArguments } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import { hasFile, type CommandHandler, type CommandInvocation } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { resolveProject } from '../terminal/terminalCommands';
import { askFolder, assertOutside, chooseFormat, exportTexts, isRedacted } from './exportChoices';
import { groupFindings } from './findingGroups';
import { openExport } from './openExport';
import { redactionSettings } from './redactionSettings';
import { reviewFindings } from './reviewFindings';
import { pathsInProject } from '../handler/sessions/newestFirst';

/** The form that only several sessions have. */
const DATASET = {
  label: vscode.l10n.t('Hugging Face Dataset'),
  description: vscode.l10n.t('JSONL with an index and a card, to upload'),
  value: 'dataset',
} as const;

type Answer = CommandContract['sessionTree.exportSessions']['answer'];

export function batchExportCommands(deps: CommandDeps, notifier: Notifier, reports: ReportDocuments) {
  const handler: CommandHandler<Answer> = {
    title: vscode.l10n.t('Export Sessions'),
    runWithArguments: async (args) => {
      const format = optionalOneOf(args, 'format', BATCH_FORMATS);
      if (format === undefined) requiredString(args, 'format');
      const target = requiredString(args, 'target');
      await assertOutside(deps, target);
      const branches = optionalOneOf(args, 'branches', ['active', 'all']) ?? 'all';
      const exports = await BatchExport.open(pathsOf(args), deps.session, { branches, redact: isRedacted(args) && redactionSettings() });
      const { folder, index, files, failed } = await exports
        .write(target, { format: format ?? 'jsonl' }, {})
        .finally(() => exports.close());
      return {
        path: folder,
        ...defined({ index }),
        files: files.map(({ session, exported: { path, bytes, redacted, problems } }) => ({ session, path, bytes, redacted, problems })),
        failed: failed.map(({ path, error }) => ({ path, reason: error.message })),
      };
    },
    runInteractive: async (call) => {
      const paths = await targetPaths(deps, call);
      const format = await chooseFormat(deps, call.title, DATASET);
      const exports = await withCancellableProgress(vscode.l10n.t('Reading sessions…'), (progress) =>
        BatchExport.open(paths, deps.session, { redact: redactionSettings() }, progress),
      );
      let result: BatchExportResult;
      try {
        const [groups, images] = await withCancellableProgress(vscode.l10n.t('Looking for secrets…'), async (progress) => [
          await groupFindings(exports.findings(progress)),
          format !== 'dataset' && FORMAT_FACTS[format].hasFileImages ? await exports.fileImages(progress) : 0,
        ]);
        const { withoutFileImages, ...reviewed } = await reviewFindings(deps, groups, images, call.title);
        const target = await askFolder(deps, call.title);
        result = await withCancellableProgress(vscode.l10n.t('Exporting sessions…'), (progress) =>
          exports.write(target, { format, ...exportTexts(), withoutFileImages }, reviewed, progress),
        );
      } finally {
        exports.close();
      }
      notify(result);
    },
  };

  const notify = (result: BatchExportResult): void => {
    const { folder, index, files, failed } = result;
    const done = vscode.l10n.t('Exported {count} sessions to {path}. Texts replaced: {replaced}.', {
      count: files.length,
      path: shortPath(folder),
      replaced: files.reduce((sum, { exported }) => sum + exported.redacted.length, 0),
    });
    const missing = failed.length + files.filter(({ exported }) => exported.problems.length > 0).length;
    notifier.info(
      missing === 0 ? done : `${done} ${vscode.l10n.t('Not exported, or not whole: {count}.', { count: missing })}`,
      {
        title: index === undefined ? vscode.l10n.t('Open Folder') : vscode.l10n.t('Open'),
        run: () => (index === undefined ? vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(folder)) : openExport(index)),
      },
      ...(missing === 0
        ? []
        : [
            {
              title: vscode.l10n.t('Show Report'),
              run: () => reports.show(vscode.l10n.t('Export Report: {name}', { name: basename(folder) }), reportText(deps, done, result)),
            },
          ]),
    );
  };
  return { 'sessionTree.exportSessions': handler };
}

/** @throws {SessionError} `invalid` */
function pathsOf(args: CommandArguments): string[] {
  const { sessions } = args;
  if (!isArray(sessions) || sessions.length === 0)
    throw new SessionError('invalid', 'The command needs a list of sessions, such as [{ path }], for “{name}”.', { name: 'sessions' });
  return [...new Set(sessions.map((ref) => sessionRefOf(toArguments(ref)).path))];
}

/** Returns the sessions of the selected rows, with all of a project; without rows, the sessions of a project that the person picks. */
async function targetPaths(deps: CommandDeps, call: CommandInvocation): Promise<string[]> {
  const rows = call.targetRows();
  const selected = await Promise.all(
    rows.map(async (row) => (row.row === 'project' ? pathsInProject(deps, row.cwd) : hasFile(row) ? [row.path] : [])),
  );
  const chosen = [...new Set(selected.flat())];
  const paths = chosen.length > 0 ? chosen : await pathsInProject(deps, await resolveProject(deps, call));
  if (paths.length === 0) throw new SessionError('not-found', 'This project has no sessions.');
  return paths;
}

/** Lists the sessions that aren't exported, and the sessions that are incomplete. */
function reportText(deps: CommandDeps, summary: string, { files, failed }: BatchExportResult): string {
  const line = (path: string, detail: string): string[] => [
    '',
    `  ${sessionDisplayName(deps, path)}`,
    `    ${uiLine(path)}`,
    `    ${uiLine(detail)}`,
  ];
  const lacking = files.filter(({ exported }) => exported.problems.length > 0);
  return [
    summary,
    ...(failed.length === 0 ? [] : ['', vscode.l10n.t('Not exported')]),
    ...failed.flatMap(({ path, error }) => line(path, localizeError(error))),
    ...(lacking.length === 0 ? [] : ['', vscode.l10n.t('Not whole')]),
    ...lacking.flatMap(({ session, exported }) =>
      line(session, vscode.l10n.t('Lines that couldn’t be read: {count}.', { count: exported.problems.length })),
    ),
    '',
  ].join('\n');
}
