/** The commands that write the origins of lines as records of Agent Trace, to a file or as Git notes. */
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { saveTrace, traceCommits, traceFiles, type AgentTraceOptions, type TracedCommit, type TraceRecord } from '../../../core/index';
import { withCancellableProgress } from '../../handler/cancellableProgress';
import {
  flag,
  optionalFiles,
  optionalFolder,
  optionalString,
  requiredFolder,
  requiredString,
  type CommandArguments,
} from '../../handler/commandArguments';
import type { CommandDeps } from '../../handler/commandDeps';
import type { Answer, CommandHandler } from '../../handler/commandHandler';
import type { Notifier } from '../../handler/notifications';
import type { ReportDocuments } from '../../handler/reportDocuments';
import { settledCatalog } from '../../handler/settledCatalog';
import { assertOutside } from '../../export/exportChoices';
import { LINK_AUTHORITY, linkToSessionId } from '../../open/sessionLink';
import { askRange, askTarget, assertTrusted, chooseFilesOrCommits, showNothing, type CommitRange } from './agentTraceInput';
import { addNotes, offerNotes } from './agentTraceNotes';

export function agentTraceCommands(deps: CommandDeps, notifier: Notifier, reports: ReportDocuments) {
  const commitsOf = async (range: CommitRange, progress?: Pick<AgentTraceOptions, 'signal' | 'onProgress'>): Promise<TracedCommit[]> => {
    assertTrusted();
    return traceCommits(await settledCatalog(deps.catalog), range, { ...traceOptions(), ...progress });
  };
  const recordsOf = async (
    of: readonly string[] | CommitRange,
    progress?: Pick<AgentTraceOptions, 'signal' | 'onProgress'>,
  ): Promise<readonly TraceRecord[]> =>
    'repository' in of
      ? (await commitsOf(of, progress)).map(({ record }) => record)
      : traceFiles(await settledCatalog(deps.catalog), of, { ...traceOptions(), ...progress, git: vscode.workspace.isTrusted });

  const exportTrace: CommandHandler<Answer<'sessionTree.exportAgentTrace'>> = {
    title: vscode.l10n.t('Export Agent Trace'),
    runWithArguments: async (args) => {
      const target = optionalFolder(args, 'target');
      if (target !== undefined) await assertOutside(deps, target);
      const records = [...(await recordsOf(optionalFiles(args) ?? rangeOf(args)))];
      if (target === undefined) return { records };
      await saveTrace(records, target, { overwrite: flag(args, 'overwrite') });
      return { records, path: target };
    },
    runInteractive: async (call) => {
      const selected = call.menuUris().filter(({ scheme }) => scheme === 'file');
      const of = selected.length > 0 ? selected.map(({ fsPath }) => fsPath) : await chooseFilesOrCommits(call.title);
      const records = await withCancellableProgress(vscode.l10n.t('Finding the origins of lines…'), (progress) => recordsOf(of, progress));
      if (records.length === 0) {
        showNothing();
        return;
      }
      const target = await askTarget(call.title, 'repository' in of ? of.repository : dirname(of[0] ?? ''));
      await assertOutside(deps, target);
      await saveTrace(records, target, { overwrite: true });
      notifier.info(vscode.l10n.t('Saved the records: {path}', { path: target }), {
        title: vscode.l10n.t('Open'),
        run: () => vscode.commands.executeCommand('vscode.open', vscode.Uri.file(target)),
      });
    },
  };

  const notes: CommandHandler<Answer<'sessionTree.addAgentTraceNotes'>> = {
    title: vscode.l10n.t('Add Agent Trace as Git Notes'),
    runWithArguments: async (args) => {
      const range = rangeOf(args);
      const commits = await commitsOf(range);
      return addNotes(range.repository, commits, {
        overwrite: flag(args, 'overwrite'),
        dryRun: flag(args, 'dryRun'),
        assertChangeable: deps.writer.assertChangeable,
      });
    },
    runInteractive: async (call) => {
      const range = await askRange(call.title);
      const commits = await withCancellableProgress(vscode.l10n.t('Finding the origins of lines…'), (progress) =>
        commitsOf(range, progress),
      );
      if (commits.length === 0) showNothing();
      else await offerNotes(range.repository, commits, notifier, reports, deps.writer.assertChangeable);
    },
  };
  return { 'sessionTree.exportAgentTrace': exportTrace, 'sessionTree.addAgentTraceNotes': notes };
}

const traceOptions = (): Pick<AgentTraceOptions, 'tool' | 'link'> => {
  // VS Code requires a version in every manifest.
  const { version } = (vscode.extensions.getExtension(LINK_AUTHORITY)?.packageJSON ?? {}) as { version?: string };
  return { tool: { name: 'pi-session-tree', version: version ?? '' }, link: (entry) => linkToSessionId(vscode.env.uriScheme, entry) };
};

/** @throws {SessionError} `invalid` */
function rangeOf(args: CommandArguments): CommitRange {
  return { repository: requiredFolder(args, 'repository'), from: requiredString(args, 'from'), to: optionalString(args, 'to') ?? 'HEAD' };
}
