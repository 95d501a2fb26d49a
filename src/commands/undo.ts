/** Taking back the newest write. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { SessionError, type Undone } from '../core/index';
import type { CommandDeps } from './deps';
import type { Handler } from './frame';
import type { Insist } from './insist';
import { flag } from './plain';
import type { Voice } from './speak';

type Answer = CommandContract['sessionTree.undo']['answer'];

export function undoCommands(deps: CommandDeps, voice: Voice, insist: Insist) {
  const run = async (force: boolean): Promise<Undone> => {
    const undone = await (await deps.kept()).undo({ force });
    await deps.changed([undone.path]);
    return undone;
  };

  const undo: Handler<Answer> = {
    title: vscode.l10n.t('Undo the Last Change'),
    plain: async (args) => {
      const { did, path } = await run(flag(args, 'force'));
      return { did, path };
    },
    asked: async (call) => {
      const next = await (await deps.kept()).nextUndo();
      if (!next) throw new SessionError('invalid', 'There is nothing to undo.');
      const { did, path, record } = await insist({ path: next.path }, run, { anyway: vscode.l10n.t('Undo Anyway'), canFork: false });
      voice.done(whatWasTakenBack(record));
      if (call.rows.length === 0) call.answer = { did, path } satisfies Answer;
    },
  };
  return { 'sessionTree.undo': undo };
}

function whatWasTakenBack(record: Undone['record']): string {
  const file = basename(record.path);
  switch (record.kind) {
    case 'label':
      return record.from === ''
        ? vscode.l10n.t('Taken back: the label “{to}” in {file} is gone.', { to: record.to, file })
        : vscode.l10n.t('Taken back: the label in {file} is “{from}” again.', { from: record.from, file });
    case 'rename':
      return record.from === '' ? vscode.l10n.t('Taken back: {file} has no name again.', { file }) : vscode.l10n.t('Taken back: the session is named “{from}” again.', { from: record.from });
    case 'branch':
      return vscode.l10n.t('Taken back: {file} goes on where it did before the branch.', { file });
    case 'fork':
      return vscode.l10n.t('Taken back: the fork {file} is in the trash.', { file });
    case 'migrate':
      return vscode.l10n.t('Taken back: {file} is what it was before the migration.', { file });
    case 'delete':
      return vscode.l10n.t('Taken back: the session is where it was, {file}', { file });
    case 'append':
    case 'restore':
    case 'undo':
      return vscode.l10n.t('Taken back: the last change of {file}', { file });
  }
}
