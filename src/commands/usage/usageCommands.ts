/** The command that shows what sessions cost. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { defined, SessionError, USAGE_KEYS, type Catalog } from '../../core/index';
import { withProgress } from '../../ui/safe/messages';
import { optionalAmount, optionalOneOf, optionalString, requiredString } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { settledCatalog } from '../handler/settledCatalog';
import { UsagePanel } from './usagePanel';

type Answer = CommandContract['sessionTree.usage']['answer'];

export function usageCommands(deps: CommandDeps) {
  const title = vscode.l10n.t('Usage');
  let page: UsagePanel | undefined;
  const openCatalog = async (): Promise<Catalog> => {
    await deps.catalog.open();
    deps.catalog.refresh();
    return settledCatalog(deps.catalog);
  };

  const usage: CommandHandler<Answer> = {
    title,
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
    runInteractive: async () => {
      const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Adding up usage') };
      const panel = (page ??= new UsagePanel(title, deps));
      const { timeZone } = panel;
      await withProgress(progress, async () => {
        // The page is there before the disk was looked at, and before all days were added up.
        const since = panel.firstTime();
        const known = await (await deps.catalog.open()).usageFacts(timeZone, since);
        const whole = openCatalog().then((catalog) => catalog.usageFacts(timeZone));
        if (known.length > 0) await Promise.all([panel.show(known, since === undefined ? undefined : { since, whole }), whole]);
        const all = await whole;
        if (all.length === 0) throw new SessionError('not-found', 'No session has recorded usage yet.');
        if (known.length === 0) await panel.show(all);
        else await panel.update(all);
      });
    },
  };
  return { 'sessionTree.usage': usage };
}
