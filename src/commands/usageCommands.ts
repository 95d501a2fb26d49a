/** The command that shows what sessions cost: by day, project and model. */
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { defined, SessionError, USAGE_KEYS, type Catalog, type UsageKey, type UsageSum } from '../core/index';
import { withProgress } from '../ui/messages';
import { optionalAmount, optionalOneOf, optionalString, requiredString } from './handler/commandArguments';
import type { CommandDeps } from './handler/commandDeps';
import type { CommandHandler } from './handler/commandHandler';
import { settledCatalog } from './handler/settledCatalog';
import { usagePage } from './usagePage';

type Answer = CommandContract['sessionTree.usage']['answer'];

export function usageCommands(deps: CommandDeps) {
  const panel = new UsagePanel();
  const openCatalog = async (): Promise<Catalog> => {
    await deps.catalog.open();
    deps.catalog.refresh();
    return settledCatalog(deps.catalog);
  };

  const usage: CommandHandler<Answer> = {
    title: vscode.l10n.t('Usage'),
    runWithArguments: async (args) => {
      requiredString(args, 'by');
      const by = optionalOneOf(args, 'by', USAGE_KEYS) ?? 'day';
      const filter = defined({
        since: optionalAmount(args, 'since'),
        until: optionalAmount(args, 'until'),
        project: optionalString(args, 'project'),
        model: optionalString(args, 'model'),
        timeZone: optionalString(args, 'timeZone'),
      });
      return (await openCatalog()).usage({ by, ...filter });
    },
    runInteractive: async (call) => {
      const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Adding up usage') };
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const [days, projects, models] = await withProgress(progress, async () => {
        const catalog = await openCatalog();
        const sums = (by: UsageKey): Promise<UsageSum[]> => catalog.usage({ by, timeZone });
        // One after the other: the answers of several would arrive in the same turn of the event loop.
        return [await sums('day'), await sums('project'), await sums('model')] as const;
      });
      if (days.length === 0) throw new SessionError('not-found', 'No session has recorded usage yet.');
      panel.show(call.title, usagePage(call.title, { days, timeZone, projects, models, progress: deps.catalog.progress() }));
    },
  };
  return { 'sessionTree.usage': usage };
}

/**
 * The page with the usage. It isn't shown as Markdown, because loading the editor's extension for that stops all extensions
 * several times as long as adding up does.
 */
class UsagePanel {
  private panel: vscode.WebviewPanel | undefined;

  /** Shows the page, replacing an earlier page. */
  show(title: string, html: string): void {
    if (!this.panel) {
      const options = { enableFindWidget: true, localResourceRoots: [] };
      this.panel = vscode.window.createWebviewPanel('sessionTree.usage', title, vscode.ViewColumn.Active, options);
      this.panel.onDidDispose(() => (this.panel = undefined));
    }
    this.panel.webview.html = html;
    this.panel.reveal();
  }
}
