/** The command that empties the index of sessions. Session files aren't changed. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { withProgress } from '../../ui/safe/messages';
import { confirm } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';

type Answer = CommandContract['sessionTree.clearIndex']['answer'];

export function clearIndexCommands(deps: CommandDeps, notifier: Notifier) {
  const clearIndex: CommandHandler<Answer> = {
    title: vscode.l10n.t('Clear Search Index'),
    runWithArguments: async () => {
      await deps.catalog.clear();
      return undefined;
    },
    runInteractive: async (call) => {
      const detail = vscode.l10n.t(
        'This deletes the words, labels, costs and file names that the extension has indexed. Your sessions aren’t changed.\n\nThe index is rebuilt by the next search, by Refresh, or when a window opens.',
      );
      await confirm(vscode.l10n.t('Clear the search index?'), detail, call.title);
      await withProgress({ location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Clearing the search index') }, () =>
        deps.catalog.clear(),
      );
      notifier.info(vscode.l10n.t('Cleared the search index. The next search rebuilds it.'));
    },
  };
  return { 'sessionTree.clearIndex': clearIndex };
}
