/** Pending changes, which are written once no other program has their session: adding, dropping, and the notification when they are settled. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { SessionError, type PendingChange, type DeferrableChange } from '../../core/index';
import { localizeProblem } from '../../ui/localize';
import { choose } from '../handler/prompts';
import { truncateName } from '../handler/sessions/sessionNames';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { requiredString } from '../handler/commandArguments';
import { rowCommandAction, type NotificationAction, type Notifier } from '../handler/notifications';

/** Makes an action that queues a change; the session's row then shows it. */
export function writeWhenFreeAction(deps: CommandDeps, path: string, change: DeferrableChange): NotificationAction {
  return { title: vscode.l10n.t('Apply When Closed'), run: () => deps.pendingChanges.add(path, change) };
}

export function pendingCommands(deps: CommandDeps) {
  const drop = async (id: string): Promise<void> => {
    if (!(await deps.pendingChanges.drop(id))) throw new SessionError('not-found', 'This change is no longer pending.');
  };

  const dropWaiting: CommandHandler<CommandContract['sessionTree.dropWaiting']['answer']> = {
    title: vscode.l10n.t('Discard Pending Change'),
    runWithArguments: async (args) => {
      await drop(requiredString(args, 'waitingId'));
      return undefined;
    },
    runInteractive: async (call) => {
      const rows = call.targetRows().filter((row) => row.row === 'waiting');
      if (rows.length > 0) {
        const goToPlace = call.rememberPlace();
        for (const { waitingId } of rows) await drop(waitingId);
        return goToPlace();
      }
      const { path } = await call.resolveRef();
      const pending = deps.pendingChanges.forSession(path);
      const [first, ...others] = pending;
      if (!first) throw new SessionError('not-found', 'This session has no pending changes: {path}', { path });
      if (others.length === 0) return drop(first.id);
      const choices = pending.map((item) => ({ label: describeChange(item.change), value: item.id }));
      await drop(await choose(call.title, vscode.l10n.t('Select a pending change'), choices));
    },
  };
  return { 'sessionTree.dropWaiting': dropWaiting };
}

/** Shows the pending changes that were written, and the ones that can no longer be written. */
export function notifySettled(
  notifier: Notifier,
  { written, stuck }: { readonly written: readonly PendingChange[]; readonly stuck: readonly PendingChange[] },
): void {
  const [first, ...others] = written;
  if (first && others.length === 0) {
    const { change, path } = first;
    notifier.info(
      vscode.l10n.t('Applied pending change: {change}', { change: describeChange(change) }),
      rowCommandAction(vscode.l10n.t('Show Context'), 'sessionTree.showContext', { path }),
    );
  } else if (first) {
    notifier.info(vscode.l10n.t('Applied {count} pending changes.', { count: written.length }));
  }
  for (const { id, change, path, stuck: reason } of stuck) {
    if (!reason) continue;
    const why = localizeProblem(reason);
    notifier.info(vscode.l10n.t('Couldn’t apply pending change: {change}. {why}', { change: describeChange(change), why }), {
      title: vscode.l10n.t('Discard'),
      run: () => vscode.commands.executeCommand('sessionTree.dropWaiting', { row: 'waiting', path, waitingId: id }),
    });
  }
}

function describeChange(change: DeferrableChange): string {
  switch (change.kind) {
    case 'label':
      return change.label.trim() === ''
        ? vscode.l10n.t('clear label')
        : vscode.l10n.t('label “{label}”', { label: truncateName(change.label) });
    case 'rename':
      return change.name.trim() === '' ? vscode.l10n.t('clear name') : vscode.l10n.t('name “{name}”', { name: truncateName(change.name) });
    case 'branch':
      return vscode.l10n.t('branch');
  }
}
