/** The command that moves sessions to the extension's trash, or to the system's. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { defined, forksOf, newGroupId, type TrashItem } from '../../core/index';
import { assertNotLive } from '../handler/assertNotLive';
import { confirm, nameList } from '../handler/prompts';
import { sessionDisplayName, truncateName } from '../handler/sessionNames';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation, CommandHandler } from '../handler/commandHandler';
import { submitOptions, type ConfirmForce } from '../handler/confirmForce';
import { flag, sessionRefOf } from '../handler/commandArguments';
import type { NotificationAction, Notifier } from '../handler/notifications';
import { moveToSystemTrash, usesSystemTrash } from './systemTrash';
import { restoreDeleted } from './trashCommands';
import { newestFirst } from '../handler/newestFirst';
import { refusalToMove } from './refusalToMove';

type Answer = CommandContract['sessionTree.delete']['answer'];

export function deleteCommands(deps: CommandDeps, notifier: Notifier, confirmForce: ConfirmForce) {
  /** @param group the group id of several sessions, which one undo restores together */
  const moveToTrash = async (path: string, force: boolean, group?: string): Promise<TrashItem> => {
    const item = await (await deps.writes()).trash.delete(path, { ...submitOptions(deps, path, force), ...defined({ group }) });
    await deps.refreshAfterWrite([path]);
    return item;
  };

  const moveInteractively = async ({ path }: SessionRef, group: string | undefined): Promise<TrashItem | undefined> => {
    const options = { forceLabel: vscode.l10n.t('Move Anyway'), canFork: false };
    try {
      if (!usesSystemTrash()) return await confirmForce({ path }, (force) => moveToTrash(path, force, group), options);
      await confirmForce({ path }, (force) => moveToSystemTrash(deps, path, force), options);
      await deps.refreshAfterWrite([path]);
      return undefined;
    } catch (error) {
      throw refusalToMove(deps, error);
    }
  };

  const notifyDeleted = (moved: readonly TrashItem[], systemTrashCount: number): void => {
    const undo: NotificationAction = {
      title: vscode.l10n.t('Undo'),
      run: async () => {
        for (const item of moved) await restoreDeleted(deps, item);
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

  const remove: CommandHandler<Answer> = {
    title: vscode.l10n.t('Move to Trash'),
    runWithArguments: async (args) => ({ trashId: (await moveToTrash(sessionRefOf(args).path, flag(args, 'force'))).trashId }),
    runInteractive: async (call) => {
      const paths = [...new Set((await call.resolveRefs()).map(({ path }) => path))];
      for (const path of paths) {
        call.ref = { path };
        await deps.writer.assertChangeable(path);
      }
      await assertNotLive(deps, call, paths).catch((error: unknown) => {
        throw refusalToMove(deps, error);
      });
      await confirmDeletion(deps, call, paths);
      const goToPlace = call.rememberPlace();
      const group = paths.length > 1 ? newGroupId() : undefined;
      const moved: TrashItem[] = [];
      let systemTrashCount = 0;
      try {
        for (const path of paths) {
          call.ref = { path };
          const item = await moveInteractively({ path }, group);
          if (item) moved.push(item);
          else systemTrashCount += 1;
        }
      } finally {
        notifyDeleted(moved, systemTrashCount);
        await goToPlace();
      }
    },
  };

  return { 'sessionTree.delete': remove };
}

/** Asks before deleting sessions with forks, and sessions of which only an entry or a view was selected. @throws {vscode.CancellationError} */
async function confirmDeletion(deps: CommandDeps, call: CommandInvocation, paths: readonly string[]): Promise<void> {
  const summaries = deps.sessions();
  const forks = paths.flatMap((path) => {
    const summary = deps.summary(path);
    return summary ? forksOf(summary, summaries) : [];
  });
  const remaining = await newestFirst(forks.filter(({ path }) => !paths.includes(path)));
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
      : `${forksAreKept(remaining.length)}\n\n${nameList(remaining.map(({ path }) => sessionDisplayName(deps, path)))}`;
  await confirm(question, detail, vscode.l10n.t('Move to Trash'));
}

const forksAreKept = (count: number): string =>
  count === 1
    ? vscode.l10n.t('1 fork is kept, but no longer nested here.')
    : vscode.l10n.t('{count} forks are kept, but no longer nested here.', { count });
