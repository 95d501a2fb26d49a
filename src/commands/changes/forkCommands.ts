/** Commands that fork a session: they write a new session file and change no existing one. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { defined, newGroupId, rootOf, type Fork, type ForkOptions } from '../../core/index';
import { changeEach } from '../handler/changeEach';
import { chooseFolder } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler, CommandInvocation } from '../handler/commandHandler';
import { optionalFolder, optionalOneOf, sessionRefOf, requiredString, type CommandArguments } from '../handler/commandArguments';
import { rowCommandAction, type Notifier } from '../handler/notifications';
import type { UndoAction } from './undoCommands';

type Answer = CommandContract['sessionTree.fork']['answer'];

export function forkCommands(deps: CommandDeps, notifier: Notifier, undoAction: UndoAction) {
  const forkSession = async (path: string, options: ForkOptions): Promise<Fork> => {
    const roots = deps.roots();
    const root = rootOf(path, roots);
    const forked = await deps.writer.forkSession(path, { ...options, roots, ...(root ? { dialect: root.dialect } : {}) });
    await deps.refreshAfterWrite([forked.path]);
    return forked;
  };

  /** Forks each of some rows. No prompt goes to the clipboard. */
  const forkSeveral = async (call: CommandInvocation, refs: readonly SessionRef[], targetCwd?: string): Promise<void> => {
    const group = newGroupId();
    let count = 0;
    try {
      await changeEach(deps, call.title, refs, async ({ path, entryId }) => {
        call.ref = defined({ path, entryId });
        await forkSession(path, defined({ entryId, targetCwd, group }));
        count += 1;
      });
    } finally {
      if (count > 0) notifier.info(vscode.l10n.t('Forked into new sessions: {count}', { count }), undoAction());
    }
  };

  const forkInteractively = async (call: CommandInvocation, refs: readonly [SessionRef, ...SessionRef[]], targetCwd?: string) => {
    const [ref, ...others] = refs;
    if (others.length > 0) return forkSeveral(call, refs, targetCwd);
    const { path, prompt } = await forkSession(ref.path, defined({ entryId: ref.entryId, targetCwd }));
    if (prompt !== undefined) await vscode.env.clipboard.writeText(prompt);
    await deps.reveal({ path }, { focus: call.isOnViewRow });
    notifier.info(
      prompt === undefined
        ? vscode.l10n.t('Forked into a new session.')
        : vscode.l10n.t('Forked into a new session that ends before the selected message. The message’s text is on the clipboard.'),
      rowCommandAction(vscode.l10n.t('Show Context'), 'sessionTree.showContext', { path }),
      rowCommandAction(vscode.l10n.t('Resume in Terminal'), 'sessionTree.resume', { path }),
    );
  };

  const forkWithArguments = async (args: CommandArguments): Promise<Answer> => {
    const { path, entryId } = sessionRefOf(args);
    const targetCwd = optionalFolder(args, 'targetCwd');
    const position = optionalOneOf(args, 'position', ['before', 'at']);
    const forked = await forkSession(path, defined({ entryId, targetCwd, position }));
    return { path: forked.path };
  };

  const fork: CommandHandler<Answer> = {
    title: vscode.l10n.t('Fork'),
    runWithArguments: forkWithArguments,
    runInteractive: async (call) => forkInteractively(call, await call.resolveRefs()),
  };

  const forkTo: CommandHandler<Answer> = {
    title: vscode.l10n.t('Fork into Another Project'),
    runWithArguments: (args) => {
      requiredString(args, 'targetCwd');
      return forkWithArguments(args);
    },
    runInteractive: async (call) => {
      const refs = await call.resolveRefs();
      const { cwd } = (await deps.session(refs[0].path)).header;
      await forkInteractively(call, refs, await chooseFolder(deps, call.title, { except: cwd }));
    },
  };

  return { 'sessionTree.fork': fork, 'sessionTree.forkTo': forkTo };
}
