/** Taking back the newest write. */
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { SessionError, type Undone } from '../core/index';
import { nameOf } from './ask';
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
      const isThere = deps.sessions().some((session) => session.path === next.path);
      const before = nameOf(deps, next.path);
      const { did, path, record } = await insist({ path: next.path }, run, { anyway: vscode.l10n.t('Undo Anyway'), canFork: false });
      voice.done(whatWasTakenBack(record, isThere ? before : nameOf(deps, record.path)));
      if (call.rows.length === 0) call.answer = { did, path } satisfies Answer;
    },
  };
  return { 'sessionTree.undo': undo };
}

/** `name`: of the session, as its row has it. */
function whatWasTakenBack(record: Undone['record'], name: string): string {
  switch (record.kind) {
    case 'label':
      return record.from === ''
        ? vscode.l10n.t('Taken back: the label “{to}” in “{name}” is gone.', { to: record.to, name })
        : vscode.l10n.t('Taken back: the label in “{name}” is “{from}” again.', { from: record.from, name });
    case 'rename':
      return record.from === '' ? vscode.l10n.t('Taken back: “{name}” has no name again.', { name }) : vscode.l10n.t('Taken back: the session is named “{from}” again.', { from: record.from });
    case 'branch':
      return vscode.l10n.t('Taken back: “{name}” goes on where it did before the branch.', { name });
    case 'fork':
      return vscode.l10n.t('Taken back: the fork “{name}” is in the trash.', { name });
    case 'migrate':
      return vscode.l10n.t('Taken back: “{name}” is what it was before the migration.', { name });
    case 'delete':
      return vscode.l10n.t('Taken back: “{name}” is where it was.', { name });
    case 'append':
    case 'restore':
    case 'undo':
      return vscode.l10n.t('Taken back: the last change of “{name}”.', { name });
  }
}
