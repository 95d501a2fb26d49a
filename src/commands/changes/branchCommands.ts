/** Commands that continue a session from an earlier entry, and open it in a terminal. */
import * as vscode from 'vscode';
import { defined } from '../../core/index';
import { entryRefOf, flag, optionalString } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { Answer, CommandHandler } from '../handler/commandHandler';
import { rowCommandAction, type Notifier } from '../handler/notifications';
import type { UndoAction } from './undoCommands';
import { prepareResume } from '../terminal/terminalCommands';
import type { RestoreFlow } from '../restore/restoreFlow';
import { restoredSentence } from '../restore/restoreReport';
import { branchInteractively, reopenNotice, type BranchTarget } from './branching';
import { wantsFiles } from './branchQuestion';
import type { ChangeSubmission } from './changeSubmission';

export function branchCommands(
  deps: CommandDeps,
  notifier: Notifier,
  { assertMayWrite, submit, submitInteractively }: ChangeSubmission,
  undoAction: UndoAction,
  restoring: () => Promise<RestoreFlow>,
) {
  const branch = async (target: BranchTarget): Promise<string> => {
    await assertMayWrite(target.session);
    return branchInteractively(deps, target, (change) => submitInteractively(target.ref, change));
  };

  const branchHere: CommandHandler<Answer<'sessionTree.branchHere'>> = {
    title: vscode.l10n.t('Branch Here'),
    runWithArguments: async (args) => {
      const { path, entryId } = entryRefOf(args);
      const summary = optionalString(args, 'summary');
      return submit(path, { kind: 'branch', entryId, ...defined({ summary }) }, flag(args, 'force'));
    },
    runInteractive: async (call) => {
      const { ref, session } = await call.resolveEntry();
      const description = await branch({ call, ref, session });
      notifier.info(
        `${description} ${reopenNotice()}`,
        rowCommandAction(vscode.l10n.t('Resume in Terminal'), 'sessionTree.resume', { path: ref.path }),
        undoAction(),
      );
    },
  };

  const branchAndResume: CommandHandler<Answer<'sessionTree.branchAndResume'>> = {
    title: vscode.l10n.t('Branch and Resume'),
    runWithArguments: async (args) => {
      const { path } = entryRefOf(args);
      // Checked first, so that a session that can't be resumed isn't branched.
      const resume = await prepareResume(deps, await deps.session(path));
      const written = await branchHere.runWithArguments(args);
      return { ...written, ...resume() };
    },
    runInteractive: async (call) => {
      const { ref, session } = await call.resolveEntry();
      const resume = await prepareResume(deps, session);
      const target = { call, ref, session };
      if (!(await wantsFiles(deps, target))) {
        const description = await branch(target);
        resume();
        notifier.info(`${description} ${reopenNotice()}`);
        return;
      }
      await assertMayWrite(session);
      const { branchInteractively: branchWithFiles, leftActions } = await restoring();
      const { description, restored } = await branchWithFiles(target);
      resume();
      notifier.info(
        `${description} ${restoredSentence(restored)} ${reopenNotice()}`,
        undoAction(),
        ...leftActions(ref, call.title, restored),
      );
    },
  };

  return { 'sessionTree.branchHere': branchHere, 'sessionTree.branchAndResume': branchAndResume };
}
