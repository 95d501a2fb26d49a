/** The commands that install the command line in PATH, and remove it. */
import * as vscode from 'vscode';
import { dirname } from 'node:path';
import type { CommandContract } from '../../contract';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';

type Installed = CommandContract['sessionTree.installCommand']['answer'];
type Removed = CommandContract['sessionTree.uninstallCommand']['answer'];

export function pathCommands({ agents }: CommandDeps, notifier: Notifier) {
  const install: CommandHandler<Installed> = {
    title: vscode.l10n.t("Install 'session-tree' in PATH"),
    runWithArguments: () => agents.installCommand(),
    runInteractive: async () => {
      const { path, isInPath } = await agents.installCommand();
      notifier.info(
        isInPath
          ? vscode.l10n.t('The command “session-tree” is there: {path}', { path })
          : vscode.l10n.t('The command “session-tree” was installed. Add its folder to PATH in your shell’s profile: {path}', {
              path: dirname(path),
            }),
      );
    },
  };
  const removed = async (): Promise<Removed> => ({ path: (await agents.uninstallCommand()) ?? null });
  const uninstall: CommandHandler<Removed> = {
    title: vscode.l10n.t("Uninstall 'session-tree' from PATH"),
    runWithArguments: removed,
    runInteractive: async () => {
      const { path } = await removed();
      notifier.info(
        path === null
          ? vscode.l10n.t('There’s no command “session-tree” that this extension has installed.')
          : vscode.l10n.t('The command “session-tree” was removed: {path}', { path }),
      );
    },
  };
  return { 'sessionTree.installCommand': install, 'sessionTree.uninstallCommand': uninstall };
}
