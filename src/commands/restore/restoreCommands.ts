/** Commands that lead the files of a session's folder back to a point of its tree, alone or together with a branch. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { defined, type PlannedFile, type RestorePlan } from '../../core/index';
import { reopenNotice } from '../changes/branching';
import type { ChangeSubmission } from '../changes/changeSubmission';
import type { UndoAction } from '../changes/undoCommands';
import { entryRefOf, flag, optionalFiles, optionalOneOf, optionalString, type CommandArguments } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { submitOptions } from '../handler/confirmForce';
import { rowCommandAction, type Notifier } from '../handler/notifications';
import { assertMayRestore, isChanged, planFiles } from './planFiles';
import type { RestoreFlow } from './restoreFlow';
import { restoredSentence, type RestoredFiles } from './restoreReport';

type FilesAnswer = CommandContract['sessionTree.restoreFiles']['answer'];
type BranchAnswer = CommandContract['sessionTree.branchWithFiles']['answer'];

interface RestoreCommandOptions {
  readonly deps: CommandDeps;
  readonly notifier: Notifier;
  readonly submission: ChangeSubmission;
  readonly flow: RestoreFlow;
  readonly undoAction: UndoAction;
}

export function restoreCommands({ deps, notifier, submission, flow, undoAction }: RestoreCommandOptions) {
  const restoreFiles: CommandHandler<FilesAnswer> = {
    title: vscode.l10n.t('Restore Files to This Point'),
    runWithArguments: async (args) => {
      const plan = await planFiles(deps, entryRefOf(args), defined({ files: optionalFiles(args), include: includeOf(args) }));
      if (flag(args, 'dryRun')) return answerOf(plan);
      const restored = await deps.turns.take(async () => (await deps.writes()).restoreFiles(onlyChanged(plan)));
      return answerOf(plan, restored);
    },
    runInteractive: async (call) => {
      assertMayRestore();
      const { ref, session } = await call.resolveEntry();
      const restored = await flow.restoreInteractively({ call, ref, session });
      const { done, left } = restored;
      notifier.info(
        done.length === 0 && left.length === 0
          ? vscode.l10n.t('All files that sessions changed are as they were at this point.')
          : restoredSentence(restored),
        ...(done.length > 0 ? [undoAction()] : []),
        ...flow.leftActions(ref, call.title, restored),
      );
    },
  };

  const branchWithFiles: CommandHandler<BranchAnswer> = {
    title: vscode.l10n.t('Branch Here with Files'),
    runWithArguments: async (args) => {
      const ref = entryRefOf(args);
      const summary = optionalString(args, 'summary');
      const options = submitOptions(deps, ref.path, flag(args, 'force'));
      const plan = await planFiles(deps, ref, defined({ include: includeOf(args) }));
      const change = { kind: 'branch', entryId: ref.entryId, ...defined({ summary }) } as const;
      const { entryId, concurrent, restored } = await deps.turns.take(async () =>
        (await deps.writes()).branchWithFiles(change, onlyChanged(plan), options),
      );
      await deps.refreshAfterWrite([ref.path]);
      return { entryId, ...defined({ concurrent }), ...answerOf(plan, restored) };
    },
    runInteractive: async (call) => {
      assertMayRestore();
      const { ref, session } = await call.resolveEntry();
      await submission.assertMayWrite(session);
      const { description, restored } = await flow.branchInteractively({ call, ref, session });
      notifier.info(
        `${description} ${restoredSentence(restored)} ${reopenNotice()}`,
        rowCommandAction(vscode.l10n.t('Resume in Terminal'), 'sessionTree.resume', { path: ref.path }),
        undoAction(),
        ...flow.leftActions(ref, call.title, restored),
      );
    },
  };

  return { 'sessionTree.restoreFiles': restoreFiles, 'sessionTree.branchWithFiles': branchWithFiles };
}

const onlyChanged = (plan: RestorePlan): RestorePlan => ({ ...plan, files: plan.files.filter(isChanged) });

function answerOf({ files }: RestorePlan, restored?: Partial<RestoredFiles>): FilesAnswer {
  const left = new Map((restored?.left ?? []).map((file) => [file.file, file]));
  return {
    ...defined({ restoreId: restored?.done?.length ? restored.restoreId : undefined }),
    files: files.map((planned) => {
      const { file, action, certainty, reason }: PlannedFile = left.get(planned.file) ?? planned;
      return { file, action, certainty, ...defined({ reason }) };
    }),
  };
}

const includeOf = (args: CommandArguments): 'exact' | 'likely' | undefined => optionalOneOf(args, 'include', ['exact', 'likely']);
