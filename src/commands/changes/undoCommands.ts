/** Undo: the command that takes back the newest write, and the action of messages that takes back the reported write. */
import * as vscode from 'vscode';
import type { CommandContract, MadeMarkChange } from '../../contract';
import { SessionError, type UndoResult } from '../../core/index';
import { sessionDisplayName, truncateName } from '../handler/sessions/sessionNames';
import { takeTurn } from '../handler/changeEach';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import type { ConfirmForce } from '../handler/confirmForce';
import { flag } from '../handler/commandArguments';
import { undoMarkChange } from './undoMarks';
import type { NotificationAction, Notifier } from '../handler/notifications';
import { untilAborted } from '../handler/turns';

type Answer = CommandContract['sessionTree.undo']['answer'];

/**
 * Returns the action that takes back the change that was made last, for the message that reports it. Other changes that
 * follow while the message is shown stay. The action closes the message. The editor lets nothing else close one, so the message
 * of a change that was undone in another way stays, and its action only says that.
 */
export type UndoAction = () => NotificationAction;

export function createUndoAction(deps: CommandDeps, notifier: Notifier, confirmForce: ConfirmForce): UndoAction {
  return () => {
    const change = deps.writes().then((writes) => writes.nextUndo());
    // The error is reported if the action is chosen.
    change.catch(() => undefined);
    return {
      title: vscode.l10n.t('Undo'),
      run: () =>
        takeTurn(deps, vscode.l10n.t('Undo'), async ({ signal }) =>
          untilAborted(undoInteractively(deps, notifier, confirmForce, await change), signal),
        ),
    };
  };
}

export function undoCommands(deps: CommandDeps, notifier: Notifier, confirmForce: ConfirmForce) {
  const undo: CommandHandler<Answer> = {
    title: vscode.l10n.t('Undo Last Change'),
    runWithArguments: (args) =>
      deps.turns.take(async () => {
        const marks = await newestMarkChange(deps);
        if (marks) {
          await deps.marks.undo(marks);
          return { did: 'inverse', path: marks.path };
        }
        const { did, path } = await undoAndRefresh(deps, { force: flag(args, 'force') });
        return { did, path };
      }),
    runInteractive: (call) =>
      takeTurn(deps, call.title, async ({ signal }) => {
        const goToPlace = call.rememberPlace();
        const marks = await newestMarkChange(deps);
        if (marks) await undoMarkChange(deps, notifier, marks);
        const { did, path } = marks
          ? { did: 'inverse' as const, path: marks.path }
          : await untilAborted(undoInteractively(deps, notifier, confirmForce, await (await deps.writes()).nextUndo()), signal);
        if (call.rows.length === 0) call.answer = { did, path } satisfies Answer;
        await goToPlace();
      }),
  };
  return { 'sessionTree.undo': undo };
}

/** Returns this window's newest change of pins, tags and notes, if no session was changed since. */
async function newestMarkChange(deps: CommandDeps): Promise<MadeMarkChange | undefined> {
  const made = deps.marks.lastChange();
  const written = made && (await (await deps.writes()).nextUndo());
  return written && Date.parse(written.at) > made.time ? undefined : made;
}

/** Undoes this change. If a confirmation is needed, it names the change. */
async function undoInteractively(
  deps: CommandDeps,
  notifier: Notifier,
  confirmForce: ConfirmForce,
  change: UndoResult['record'] | undefined,
): Promise<UndoResult> {
  if (!change) throw new SessionError('invalid', 'There’s nothing to undo.');
  const isListed = deps.summary(change.path) !== undefined;
  const nameBefore = sessionDisplayName(deps, change.path);
  const undone = await confirmForce({ path: change.path }, (force) => undoAndRefresh(deps, { force, id: change.id }), {
    forceLabel: vscode.l10n.t('Undo Anyway'),
    canFork: false,
  });
  notifier.info(undoneMessage(undone, isListed ? nameBefore : sessionDisplayName(deps, undone.record.path)));
  return undone;
}

async function undoAndRefresh(deps: CommandDeps, options: { readonly force: boolean; readonly id?: string }): Promise<UndoResult> {
  const undone = await (await deps.writes()).undo(options);
  await deps.refreshAfterWrite(undone.paths);
  return undone;
}

/** Returns a sentence that describes what was taken back. `name` is the session's name as in its row. */
function undoneMessage({ record, left = [] }: UndoResult, name: string): string {
  switch (record.kind) {
    case 'label':
      if (record.group !== undefined) return vscode.l10n.t('Undid changes of labels: the labels are restored');
      return record.from === ''
        ? vscode.l10n.t('Undid label: cleared “{to}”', { to: truncateName(record.to) })
        : vscode.l10n.t('Undid label: restored “{from}”', { from: truncateName(record.from) });
    case 'rename':
      return record.from === ''
        ? vscode.l10n.t('Undid rename: cleared the name of “{name}”', { name })
        : vscode.l10n.t('Undid rename: “{from}”', { from: truncateName(record.from) });
    case 'branch':
      return vscode.l10n.t('Undid branch in “{name}”', { name });
    case 'fork':
      if (record.group !== undefined) return vscode.l10n.t('Undid forks: moved the new sessions to the trash');
      return vscode.l10n.t('Undid fork: moved “{name}” to the trash', { name });
    case 'import':
      return vscode.l10n.t('Undid import: moved “{name}” to the trash', { name });
    case 'recover':
      return vscode.l10n.t('Undid recovery: moved the copy “{name}” to the trash', { name });
    case 'migrate':
      return vscode.l10n.t('Undid migration of “{name}”', { name });
    case 'archive':
      return record.group === undefined
        ? vscode.l10n.t('Undid archiving of “{name}”', { name })
        : vscode.l10n.t('Undid archiving: the sessions are unarchived');
    case 'delete':
      if (record.group !== undefined) return vscode.l10n.t('Undid move to trash: the sessions are restored');
      return vscode.l10n.t('Undid move to trash: restored “{name}”', { name });
    case 'relink':
      return vscode.l10n.t('Undid relink: the sessions are back in their former folder');
    case 'restoreFiles': {
      return [
        ...(record.group === undefined ? [] : [vscode.l10n.t('Undid branch in “{name}”', { name })]),
        vscode.l10n.t('Undid restore of files'),
        ...(left.length === 0 ? [] : [vscode.l10n.t('Files that stay as they are: {count}.', { count: left.length })]),
      ].join('. ');
    }
    case 'append':
    case 'restore':
    case 'unarchive':
    case 'undo':
      return vscode.l10n.t('Undid last change in “{name}”', { name });
  }
}
