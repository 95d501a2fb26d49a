/** Commands that go to running sessions of the window's folders: to a chosen one, and to the next that needs input. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { DIALECT_FACTS } from '../../core/index';
import { localizeSessionTitle } from '../../ui/localize';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { choose } from '../handler/prompts';
import { showInformation } from '../../ui/safe/messages';

export function runningCommands(deps: CommandDeps) {
  const goToRunning: CommandHandler<readonly SessionRef[]> = {
    title: vscode.l10n.t('Show Running Sessions'),
    runWithArguments: () => Promise.resolve(deps.runningSessions().map(({ path }) => ({ path }))),
    runInteractive: async (call) => {
      const choices = deps.runningSessions().map(({ path, title, messageCount, dialect, modified }) => ({
        label: localizeSessionTitle({ title, messageCount }),
        description: [
          ...(deps.needsInput(path) ? [vscode.l10n.t('needs input')] : []),
          DIALECT_FACTS[dialect].label,
          deps.ago(modified),
        ].join(' · '),
        value: path,
      }));
      if (choices.length === 0) {
        void showInformation(vscode.l10n.t('No sessions are running in this window’s folders.'));
        return;
      }
      call.ref = { path: await choose(call.title, vscode.l10n.t('Select a session to open'), choices) };
      await deps.showContext(call.ref);
    },
  };

  const next = async (): Promise<SessionRef | undefined> => {
    const waiting = deps.runningSessions().filter(({ path }) => deps.needsInput(path));
    const active = deps.activeRef()?.path;
    const path = waiting[(waiting.findIndex((one) => one.path === active) + 1) % waiting.length]?.path;
    if (path === undefined) return undefined;
    await deps.showContext({ path });
    return { path };
  };
  const nextAttention: CommandHandler<SessionRef | undefined> = {
    title: vscode.l10n.t('Go to Next Session That Needs Input'),
    runWithArguments: next,
    runInteractive: async (call) => {
      const ref = await next();
      if (!ref) void showInformation(vscode.l10n.t('No session in this window’s folders needs input.'));
      call.answer = ref;
    },
  };
  return { 'sessionTree.goToRunning': goToRunning, 'sessionTree.nextAttention': nextAttention };
}
