/** Commands that set and clear the label of an entry. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { newGroupId, SessionError } from '../../core/index';
import { changeEach } from '../handler/changeEach';
import { entryRefOf, flag, requiredString } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import { hasFile, type Answer, type CommandHandler, type CommandInvocation } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';
import type { UndoAction } from './undoCommands';
import { askText, entryDisplayName } from '../handler/prompts';
import type { ChangeSubmission } from './changeSubmission';

export function labelCommands(
  deps: CommandDeps,
  notifier: Notifier,
  { assertMayWrite, laterNotice, submit, submitInteractively }: ChangeSubmission,
  undoAction: UndoAction,
) {
  const label: CommandHandler<Answer<'sessionTree.label'>> = {
    title: vscode.l10n.t('Label'),
    runWithArguments: async (args) => {
      const { path, entryId } = entryRefOf(args);
      return submit(path, { kind: 'label', entryId, label: requiredString(args, 'label') }, flag(args, 'force'));
    },
    runInteractive: async (call) => {
      const { ref, session } = await call.resolveEntry();
      await assertMayWrite(session);
      const current = session.labels.get(ref.entryId) ?? '';
      const prompt =
        current === ''
          ? vscode.l10n.t('Label for “{entry}”', { entry: entryDisplayName(session, ref.entryId) })
          : vscode.l10n.t('Leave empty to clear “{label}”.', { label: current });
      const input = await askText({
        title: call.title,
        value: current,
        placeHolder: vscode.l10n.t('Label name'),
        prompt: `${prompt}${await laterNotice(ref.path)}`,
      });
      if (input.trim() !== current) await submitInteractively(ref, { kind: 'label', entryId: ref.entryId, label: input });
    },
  };

  /** Clears the labels of those rows that have one. */
  const clearSeveral = async (call: CommandInvocation, refs: readonly SessionRef[]): Promise<void> => {
    const group = newGroupId();
    let count = 0;
    try {
      await changeEach(deps, call.title, refs, async ({ path, entryId = '' }) => {
        call.ref = { path, entryId };
        const session = await deps.session(path);
        if (!session.labels.has(entryId)) return;
        await assertMayWrite(session);
        await submitInteractively({ path, entryId }, { kind: 'label', entryId, label: '' }, group);
        count += 1;
      });
      if (count === 0) throw new SessionError('invalid', 'The selected rows have no labels.');
    } finally {
      if (count > 0) notifier.info(vscode.l10n.t('Cleared labels: {count}', { count }), undoAction());
    }
  };

  const clearLabel: CommandHandler<Answer<'sessionTree.clearLabel'>> = {
    title: vscode.l10n.t('Clear Label'),
    runWithArguments: async (args) => {
      const { path, entryId } = entryRefOf(args);
      return submit(path, { kind: 'label', entryId, label: '' }, flag(args, 'force'));
    },
    runInteractive: async (call) => {
      if (call.targetRows().filter(hasFile).length > 1) return clearSeveral(call, await call.resolveRefs());
      const { ref, session } = await call.resolveEntry();
      await assertMayWrite(session);
      const current = session.labels.get(ref.entryId);
      if (current === undefined) throw new SessionError('invalid', 'This entry has no label: {id}', { id: ref.entryId });
      await submitInteractively(ref, { kind: 'label', entryId: ref.entryId, label: '' });
      notifier.info(vscode.l10n.t('Cleared label “{label}”.', { label: current }), undoAction());
    },
  };

  return { 'sessionTree.label': label, 'sessionTree.clearLabel': clearLabel };
}
