/** The command that empties the index of sessions. Session files stay as they are. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { withProgress } from '../../ui/messages';
import { confirm } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';

type Answer = CommandContract['sessionTree.clearIndex']['answer'];

export function clearIndexCommands(deps: CommandDeps, notifier: Notifier) {
  const clearIndex: CommandHandler<Answer> = {
    title: vscode.l10n.t('Clear Index'),
    runWithArguments: async () => {
      await deps.catalog.clear();
      return undefined;
    },
    runInteractive: async (call) => {
      const detail = vscode.l10n.t(
        'The index holds the words of your sessions, their labels, what they cost and the files that they touched, in the storage of the extension. All of it is taken out and overwritten; the sessions stay as they are.\n\nThe next search fills it again, and so does Refresh, or a window that is opened.',
      );
      await confirm(vscode.l10n.t('Clear the index of all sessions?'), detail, call.title);
      await withProgress({ location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Clearing the index') }, () =>
        deps.catalog.clear(),
      );
      notifier.info(vscode.l10n.t('The index is empty. The next search fills it again.'));
    },
  };
  return { 'sessionTree.clearIndex': clearIndex };
}
