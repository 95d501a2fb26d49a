/** The command that shows what sessions cost: by day, project and model. */
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { SessionError, type UsageSum } from '../core/index';
import { withProgress } from '../ui/messages';
import { optionalOneOf, requiredString } from './handler/commandArguments';
import type { CommandDeps } from './handler/commandDeps';
import type { CommandHandler } from './handler/commandHandler';
import type { ReportDocuments } from './handler/reportDocuments';
import { usageMarkdown } from './usageMarkdown';

type Answer = CommandContract['sessionTree.showUsage']['answer'];

const GROUPINGS = ['day', 'project', 'model'] as const;
/** Milliseconds for which the sums wait until all sessions are read. */
const MAX_WAIT = 10_000;

export function usageCommands(deps: CommandDeps, reports: ReportDocuments) {
  const sums = async (groupings: readonly (typeof GROUPINGS)[number][]): Promise<UsageSum[][]> => {
    const catalog = await deps.catalog.open();
    deps.catalog.refresh();
    await deps.catalog.settled(MAX_WAIT);
    return Promise.all(groupings.map((by) => catalog.usage({ by })));
  };

  const showUsage: CommandHandler<Answer> = {
    title: vscode.l10n.t('Usage'),
    runWithArguments: async (args) => {
      requiredString(args, 'by');
      const by = optionalOneOf(args, 'by', GROUPINGS) ?? 'day';
      return (await sums([by])).flat();
    },
    runInteractive: async (call) => {
      const [days = [], projects = [], models = []] = await withProgress(
        { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Adding up usage') },
        () => sums(GROUPINGS),
      );
      if (days.length === 0) throw new SessionError('not-found', 'No session has recorded usage yet.');
      await reports.preview(call.title, usageMarkdown({ days, projects, models, progress: deps.catalog.progress() }));
    },
  };
  return { 'sessionTree.showUsage': showUsage };
}
