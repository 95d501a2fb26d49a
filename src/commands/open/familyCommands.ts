/** Commands that go from a call to the session of the subagent that it started, and back. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { SessionError, type StartedSession } from '../../core/index';
import { localizeSessionTitle } from '../../ui/localize';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { sessionRefOf } from '../handler/commandArguments';
import { choose } from '../handler/prompts';

export function familyCommands(deps: CommandDeps) {
  /** The sessions that a call has started; without an entry all below the session. @throws {SessionError} `not-found` */
  const started = async ({ path, entryId }: SessionRef): Promise<readonly StartedSession[]> => {
    const all = await deps.subagentsOf(path);
    const found = entryId === undefined ? all : all.filter(({ call }) => call?.entryId === entryId || call?.resultId === entryId);
    if (found.length === 0)
      throw new SessionError('not-found', 'No session of a subagent that this call started is in your session folders: {path}', { path });
    return found;
  };

  const goToSubagent: CommandHandler<readonly SessionRef[]> = {
    title: vscode.l10n.t('Go to Subagent’s Session'),
    runWithArguments: async (args) => (await started(sessionRefOf(args))).map(({ file }) => ({ path: file.path })),
    runInteractive: async (call) => {
      const found = await started(await call.resolveRef());
      const choices = found.map(({ file: { path, summary } }) => ({
        label: localizeSessionTitle(summary),
        description: [summary.agent ?? '', deps.ago(summary.modified)].filter((part) => part !== '').join(' · '),
        value: path,
      }));
      const [only] = choices;
      const path = only && choices.length === 1 ? only.value : await choose(call.title, vscode.l10n.t('Select a session to open'), choices);
      await deps.showContext({ path });
    },
  };

  const above = async ({ path }: SessionRef): Promise<SessionRef> => {
    const ref = await deps.callOf(path);
    if (!ref) throw new SessionError('not-found', 'No session in your session folders has started this one: {path}', { path });
    return ref;
  };

  const goToCall: CommandHandler<SessionRef> = {
    title: vscode.l10n.t('Go to Starting Call'),
    runWithArguments: async (args) => above(sessionRefOf(args)),
    runInteractive: async (call) => {
      await deps.showContext(await above(await call.resolveRef()));
    },
  };

  return { 'sessionTree.goToSubagent': goToSubagent, 'sessionTree.goToCall': goToCall };
}
