/** Commands of the trash: delete moves a session to the extension's trash or the system's; restore and empty act on the extension's trash. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { forksOf, SessionError, type FoundTrash, type TrashItem } from '../../core/index';
import { choose, confirm, sessionDisplayName, truncateName, type Choice } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation, CommandHandler } from '../handler/commandHandler';
import { submitOptions, type ConfirmForce } from '../handler/confirmForce';
import { flag, sessionRefOf, requiredString } from '../handler/commandArguments';
import { ActionableError, type NotificationAction, type Notifier } from '../handler/notifications';
import { formatBytes } from '../handler/formatBytes';
import { moveToSystemTrash, usesSystemTrash } from './systemTrash';

type Answer<Id extends keyof CommandContract> = CommandContract[Id]['answer'];

/** Names that a dialog lists. */
const MAX_LISTED = 10;

export function deleteCommands(deps: CommandDeps, notifier: Notifier, confirmForce: ConfirmForce) {
  const moveToTrash = async (path: string, force: boolean): Promise<TrashItem> => {
    const item = await (await deps.writes()).trash.delete(path, submitOptions(deps, path, force));
    await deps.refreshAfterWrite([path]);
    return item;
  };

  const restoreItem = async (trashId: string): Promise<{ path: string }> => {
    const { path } = await (await deps.writes()).trash.restore(trashId);
    await deps.refreshAfterWrite([path]);
    return { path };
  };

  const restoreUnverified = async (item: FoundTrash): Promise<{ path: string }> => {
    await confirm(
      vscode.l10n.t('Restore “{name}”?', { name: truncateName(item.name) }),
      `${vscode.l10n.t('This installation has no record of deleting this session. It may come from an earlier version or another computer, but anyone who can write to this folder could have put it there.')}\n\n${vscode.l10n.t('It will be restored to {path}', { path: item.path })}`,
      vscode.l10n.t('Restore'),
    );
    const { path } = await (await deps.writes()).trash.restoreFound(item.place);
    await deps.refreshAfterWrite([path]);
    return { path };
  };

  const moveInteractively = async ({ path }: SessionRef): Promise<TrashItem | undefined> => {
    const options = { forceLabel: vscode.l10n.t('Move Anyway'), canFork: false };
    try {
      if (!usesSystemTrash()) return await confirmForce({ path }, (force) => moveToTrash(path, force), options);
      await confirmForce({ path }, (force) => moveToSystemTrash(deps, path, force), options);
      await deps.refreshAfterWrite([path]);
      return undefined;
    } catch (error) {
      // Without actions: a fork doesn't help to delete a session.
      throw error instanceof SessionError && !(error instanceof ActionableError)
        ? new ActionableError(error.code, error.template, error.args)
        : error;
    }
  };

  const notifyDeleted = (moved: readonly TrashItem[], systemTrashCount: number): void => {
    const undo: NotificationAction = {
      title: vscode.l10n.t('Undo'),
      run: async () => {
        for (const { trashId } of moved) await restoreItem(trashId);
      },
    };
    const [first] = moved;
    if (first && moved.length === 1) notifier.info(vscode.l10n.t('Moved to the trash: {name}', { name: truncateName(first.name) }), undo);
    else if (first) notifier.info(vscode.l10n.t('Moved {count} sessions to the trash.', { count: moved.length }), undo);
    if (systemTrashCount > 0)
      notifier.info(
        vscode.l10n.t('Moved to the system trash. To restore from there, use your file manager. Sessions: {count}', {
          count: systemTrashCount,
        }),
      );
  };

  const remove: CommandHandler<Answer<'sessionTree.delete'>> = {
    title: vscode.l10n.t('Move to Trash'),
    runWithArguments: async (args) => ({ trashId: (await moveToTrash(sessionRefOf(args).path, flag(args, 'force'))).trashId }),
    runInteractive: async (call) => {
      const paths = [...new Set((await call.resolveRefs()).map(({ path }) => path))];
      for (const path of paths) await deps.writer.assertChangeable(path);
      await confirmDeletion(deps, call, paths);
      const moved: TrashItem[] = [];
      let systemTrashCount = 0;
      try {
        for (const path of paths) {
          call.ref = { path };
          const item = await moveInteractively({ path });
          if (item) moved.push(item);
          else systemTrashCount += 1;
        }
      } finally {
        notifyDeleted(moved, systemTrashCount);
      }
    },
  };

  const restore: CommandHandler<Answer<'sessionTree.restore'>> = {
    title: vscode.l10n.t('Restore from Trash'),
    runWithArguments: (args) => restoreItem(requiredString(args, 'trashId')),
    runInteractive: async (call) => {
      const { trash } = await deps.writes();
      const [items, found] = [await trash.list(), await trash.found()];
      if (items.length + found.length === 0) throw new SessionError('not-found', 'The trash is empty.');
      const bring = await choose(call.title, vscode.l10n.t('Select a session to restore'), [
        ...items.map((item) => ({
          label: truncateName(item.name),
          description: `${formatTime(item.at)} · ${formatBytes(item.size)}`,
          detail: item.path,
          value: () => restoreItem(item.trashId),
        })),
        ...unverifiedChoices(found, restoreUnverified),
      ]);
      const { path } = await bring();
      await deps.reveal({ path });
    },
  };

  const emptyTrash: CommandHandler<Answer<'sessionTree.emptyTrash'>> = {
    title: vscode.l10n.t('Empty Trash'),
    runWithArguments: async () => ({ removed: (await (await deps.writes()).trash.empty()).length }),
    runInteractive: async () => {
      const { trash } = await deps.writes();
      const items = await trash.removable();
      if (items.length === 0) throw new SessionError('not-found', 'The trash is empty.');
      const size = items.reduce((sum, item) => sum + item.size, 0);
      await confirm(
        items.length === 1
          ? vscode.l10n.t('Permanently delete 1 session?')
          : vscode.l10n.t('Permanently delete {count} sessions?', { count: items.length }),
        `${formatNameList(items.map(({ name, at }) => `${truncateName(name)} (${formatTime(at)})`))}\n\n${vscode.l10n.t('Frees {size}. You can’t undo this.', { size: formatBytes(size) })}`,
        vscode.l10n.t('Empty Trash'),
      );
      // Sessions that were deleted while the dialog was open stay in the trash.
      const removed = await trash.empty(items.map(({ trashId }) => trashId));
      notifier.info(
        removed.length === 1
          ? vscode.l10n.t('Permanently deleted 1 session.')
          : vscode.l10n.t('Permanently deleted {count} sessions.', { count: removed.length }),
      );
    },
  };

  return { 'sessionTree.delete': remove, 'sessionTree.restore': restore, 'sessionTree.emptyTrash': emptyTrash };
}

/** Asks before deleting sessions with forks, and sessions of which only an entry or a view was selected. @throws {vscode.CancellationError} */
async function confirmDeletion(deps: CommandDeps, call: CommandInvocation, paths: readonly string[]): Promise<void> {
  const summaries = deps.sessions();
  const known = new Map(summaries.map((summary) => [summary.path, summary]));
  const forks = paths.flatMap((path) => {
    const summary = known.get(path);
    return summary ? forksOf(summary, summaries) : [];
  });
  const remaining = forks.filter(({ path }) => !paths.includes(path));
  const chosen = new Set(call.targetRows().flatMap((row) => (row.row === 'session' || row.row === 'unreadable' ? [row.path] : [])));
  const isChosen = paths.every((path) => chosen.has(path));
  const [first, ...others] = paths;
  if (first === undefined || (remaining.length === 0 && isChosen)) return;
  const question =
    others.length > 0
      ? vscode.l10n.t('Move {count} sessions to the trash?', { count: paths.length })
      : isChosen
        ? vscode.l10n.t('Move “{name}” to the trash?', { name: sessionDisplayName(deps, first) })
        : vscode.l10n.t('Move the entire session “{name}” to the trash?', { name: sessionDisplayName(deps, first) });
  const detail =
    remaining.length === 0
      ? ''
      : `${forksAreKept(remaining.length)}\n\n${formatNameList(remaining.map(({ path }) => sessionDisplayName(deps, path)))}`;
  await confirm(question, detail, vscode.l10n.t('Move to Trash'));
}

const forksAreKept = (count: number): string =>
  count === 1
    ? vscode.l10n.t('1 fork is kept, but no longer nested here.')
    : vscode.l10n.t('{count} forks are kept, but no longer nested here.', { count });

/** Makes the choices for deletions without a record in the extension's storage, below a separator that says so. */
function unverifiedChoices<T>(found: readonly FoundTrash[], restore: (item: FoundTrash) => T): Choice<() => T>[] {
  const heading = { label: vscode.l10n.t('Not Deleted by This Installation'), kind: vscode.QuickPickItemKind.Separator };
  const choices = found.map((item) => ({
    label: truncateName(item.name),
    description: [...(item.at === undefined ? [] : [formatTime(item.at)]), vscode.l10n.t('not verified')].join(' · '),
    detail: item.path,
    value: () => restore(item),
  }));
  const [first] = choices;
  return first ? [{ ...heading, value: first.value }, ...choices] : [];
}

const formatTime = (time: number): string =>
  new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });

/** Lists up to ten names, one per line, and the number of the others. */
function formatNameList(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return [...names.slice(0, MAX_LISTED), ...(more > 0 ? [vscode.l10n.t('and {count} more', { count: more })] : [])].join('\n');
}
