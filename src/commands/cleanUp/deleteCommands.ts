/** The command that moves sessions to the extension's trash, or to the system's. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { forksOf, newGroupId, SessionError, type DeleteOptions, type TrashItem } from '../../core/index';
import { assertNotLive } from '../handler/assertNotLive';
import { changeEach, takeTurn } from '../handler/changeEach';
import { confirm, nameList } from '../handler/prompts';
import { sessionDisplayName, truncateName } from '../handler/sessions/sessionNames';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation, CommandHandler } from '../handler/commandHandler';
import { submitOptions, type ConfirmForce } from '../handler/confirmForce';
import { flag, sessionRefOf } from '../handler/commandArguments';
import type { NotificationAction, Notifier } from '../handler/notifications';
import { moveToSystemTrash, usesSystemTrash } from './systemTrash';
import { restoreDeleted } from './trashCommands';
import { newestFirst } from '../handler/sessions/newestFirst';
import { refusalToMove } from './refusalToMove';
import { alongWith, askWithSubagents, insideFolders, outsideFolders, stayListed, subagentPaths } from './withSubagents';

type Answer = CommandContract['sessionTree.delete']['answer'];

export function deleteCommands(deps: CommandDeps, notifier: Notifier, confirmForce: ConfirmForce) {
  const moveToTrash = async (path: string, force: boolean, how: HowToMove): Promise<TrashItem> => {
    const item = await (await deps.writes()).trash.delete(path, { ...submitOptions(deps, path, force), ...how });
    await deps.refreshAfterWrite([path]);
    return item;
  };

  const moveInteractively = async ({ path }: SessionRef, how: HowToMove): Promise<TrashItem | undefined> => {
    const options = { forceLabel: vscode.l10n.t('Move Anyway'), canFork: false };
    try {
      if (!usesSystemTrash()) return await confirmForce({ path }, (force) => moveToTrash(path, force, how), options);
      await confirmForce({ path }, (force) => moveToSystemTrash(deps, path, force, how.keepFolder === true), options);
      await deps.refreshAfterWrite([path]);
      return undefined;
    } catch (error) {
      throw refusalToMove(deps, error);
    }
  };

  const notifyDeleted = (moved: readonly TrashItem[], systemTrashCount: number): void => {
    const undo: NotificationAction = {
      title: vscode.l10n.t('Undo'),
      run: () =>
        takeTurn(deps, vscode.l10n.t('Undo'), async () => {
          // The message stays when the sessions come back in another way.
          const inTrash = new Set((await (await deps.writes()).trash.list()).map(({ trashId }) => trashId));
          const left = moved.filter(({ trashId, path }) => inTrash.has(trashId) || deps.summary(path) === undefined);
          if (left.length === 0) throw new SessionError('invalid', 'This change was already undone.');
          const problems: unknown[] = [];
          for (const item of left) await restoreDeleted(deps, item).catch((error: unknown) => problems.push(error));
          if (problems.length > 0) throw problems[0];
        }),
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
    runWithArguments: async (args) => {
      const { path } = sessionRefOf(args);
      const force = flag(args, 'force');
      if (args['withSubagents'] === undefined) return { trashId: (await moveToTrash(path, force, {})).trashId };
      if (!flag(args, 'withSubagents')) return { trashId: (await moveToTrash(path, force, { keepFolder: true })).trashId };
      const how = { group: newGroupId() };
      const subagents = await subagentPaths(deps, [path]);
      const outside = outsideFolders(subagents, [path]);
      for (const subagent of outside) await deps.writer.assertChangeable(subagent);
      await assertNotLive(deps, { ref: undefined }, [path, ...subagents]);
      // An undo in the meantime would bring back some of them.
      return deps.turns.take(async () => {
        for (const subagent of outside) await moveToTrash(subagent, force, how);
        return { trashId: (await moveToTrash(path, force, how)).trashId };
      });
    },
    runInteractive: async (call) => {
      const paths = [...new Set((await call.resolveRefs()).map(({ path }) => path))];
      for (const path of paths) {
        call.ref = { path };
        await deps.writer.assertChangeable(path);
      }
      await assertNotLive(deps, call, paths).catch((error: unknown) => {
        throw refusalToMove(deps, error);
      });
      const subagents = await subagentPaths(deps, paths);
      const isWithSubagents = await confirmDeletion(deps, call, paths, subagents);
      const outside = isWithSubagents ? outsideFolders(subagents, paths) : [];
      for (const path of outside) await deps.writer.assertChangeable(path);
      if (isWithSubagents)
        await assertNotLive(deps, call, subagents).catch((error: unknown) => {
          throw refusalToMove(deps, error);
        });
      const goToPlace = call.rememberPlace();
      const how: HowToMove = {
        ...(paths.length + outside.length > 1 ? { group: newGroupId() } : {}),
        ...(subagents.length > 0 && !isWithSubagents ? { keepFolder: true } : {}),
      };
      // A selected session in the folder of another one moves along with it.
      const moving = how.keepFolder === true ? paths : paths.filter((path) => insideFolders([path], paths).length === 0);
      const moved: TrashItem[] = [];
      let systemTrashCount = 0;
      try {
        await changeEach(deps, call.title, [...outside, ...moving], async (path) => {
          call.ref = { path };
          const item = await moveInteractively({ path }, how);
          if (item) moved.push(item);
          else systemTrashCount += 1;
        });
      } finally {
        notifyDeleted(moved, systemTrashCount);
        await goToPlace();
      }
    },
  };

  return { 'sessionTree.delete': remove };
}

/** Options of the moves that belong together; see `DeleteOptions`. */
type HowToMove = Pick<DeleteOptions, 'group' | 'keepFolder'>;

/**
 * Asks before deleting sessions with forks or subagents, and sessions of which only an entry or a view was selected.
 *
 * @returns true if the sessions of subagents are to be deleted, too.
 * @throws {vscode.CancellationError}
 */
async function confirmDeletion(
  deps: CommandDeps,
  call: CommandInvocation,
  paths: readonly string[],
  subagents: readonly string[],
): Promise<boolean> {
  const summaries = deps.sessions();
  const forks = paths.flatMap((path) => {
    const summary = deps.summary(path);
    return summary ? forksOf(summary, summaries) : [];
  });
  const family = new Set([...paths, ...subagents]);
  const remaining = await newestFirst(forks.filter(({ path }) => !family.has(path)));
  const chosen = new Set(call.targetRows().flatMap((row) => (row.row === 'session' || row.row === 'unreadable' ? [row.path] : [])));
  const isChosen = paths.every((path) => chosen.has(path));
  const [first, ...others] = paths;
  if (first === undefined || (family.size === paths.length && remaining.length === 0 && isChosen)) return false;
  const question =
    others.length > 0
      ? vscode.l10n.t('Move {count} sessions to the trash?', { count: paths.length })
      : isChosen
        ? vscode.l10n.t('Move “{name}” to the trash?', { name: sessionDisplayName(deps, first) })
        : vscode.l10n.t('Move the entire session “{name}” to the trash?', { name: sessionDisplayName(deps, first) });
  const about =
    remaining.length === 0
      ? ''
      : `${forksAreKept(remaining.length)}\n\n${nameList(remaining.map(({ path }) => sessionDisplayName(deps, path)))}`;
  if (subagents.length === 0) {
    await confirm(question, about, vscode.l10n.t('Move to Trash'));
    return false;
  }
  const all = vscode.l10n.t('Move All to Trash');
  const detail = [await alongWith(paths, subagents), about].filter((part) => part !== '').join('\n\n');
  if (stayListed(deps, subagents, paths)) return askWithSubagents(question, detail, all);
  await confirm(question, detail, all);
  return true;
}

const forksAreKept = (count: number): string =>
  count === 1
    ? vscode.l10n.t('1 fork is kept, but no longer nested here.')
    : vscode.l10n.t('{count} forks are kept, but no longer nested here.', { count });
