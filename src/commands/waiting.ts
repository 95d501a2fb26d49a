/** Changes that wait until their session is free: how they come to wait, how they are dropped, what is said when they are done. */
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { SessionError, type Waiting, type WaitingChange } from '../core/index';
import { sentenceOf } from '../ui/sentence';
import { choose, shortened } from './ask';
import type { CommandDeps } from './deps';
import type { Handler } from './frame';
import { required } from './plain';
import { onRow, type Action, type Voice } from './speak';

/** Lets a change wait; the session's row shows it. */
export function whenFree(deps: CommandDeps, path: string, change: WaitingChange): Action {
  return { title: vscode.l10n.t('Write When It Is Free'), run: () => deps.waiting.add(path, change) };
}

export function waitingCommands(deps: CommandDeps) {
  const drop = async (id: string): Promise<void> => {
    if (!(await deps.waiting.drop(id))) throw new SessionError('not-found', 'This change does not wait any more.');
  };

  const dropWaiting: Handler<CommandContract['sessionTree.dropWaiting']['answer']> = {
    title: vscode.l10n.t('Drop the Waiting Change'),
    plain: async (args) => {
      await drop(required(args, 'waitingId'));
      return undefined;
    },
    asked: async (call) => {
      const rows = call.at().filter((row) => row.row === 'waiting');
      if (rows.length > 0) {
        for (const { waitingId } of rows) await drop(waitingId);
        return;
      }
      const { path } = await call.file();
      const waiting = deps.waiting.of(path);
      if (waiting.length === 0) throw new SessionError('not-found', 'Nothing waits for this session: {path}', { path });
      if (waiting.length === 1) return drop(waiting[0]!.id);
      const choices = waiting.map((item) => ({ label: described(item.change), value: item.id }));
      await drop(await choose(call.title, vscode.l10n.t('Which change?'), choices));
    },
  };
  return { 'sessionTree.dropWaiting': dropWaiting };
}

export function tellSettled(voice: Voice, { written, stuck }: { readonly written: readonly Waiting[]; readonly stuck: readonly Waiting[] }): void {
  if (written.length === 1) {
    const [{ change, path }] = written as [Waiting];
    voice.done(vscode.l10n.t('The session is free, and what waited for it is written: {change}', { change: described(change) }), onRow(vscode.l10n.t('Show Context'), 'sessionTree.showContext', { path }));
  } else if (written.length > 1) {
    voice.done(vscode.l10n.t('{count} changes that waited are written.', { count: written.length }));
  }
  for (const { id, change, path, stuck: reason } of stuck) {
    if (!reason) continue;
    const why = sentenceOf(reason);
    voice.done(vscode.l10n.t('What waited ({change}) can not be written any more. {why}', { change: described(change), why }), {
      title: vscode.l10n.t('Drop'),
      run: () => vscode.commands.executeCommand('sessionTree.dropWaiting', { row: 'waiting', path, waitingId: id }),
    });
  }
}

function described(change: WaitingChange): string {
  switch (change.kind) {
    case 'label':
      return change.label.trim() === '' ? vscode.l10n.t('no label') : vscode.l10n.t('label “{label}”', { label: shortened(change.label) });
    case 'rename':
      return change.name.trim() === '' ? vscode.l10n.t('no name') : vscode.l10n.t('name “{name}”', { name: shortened(change.name) });
    case 'branch':
      return vscode.l10n.t('branch');
  }
}
