/** Commands of the extension's trash: restore from it, and empty it. */
import * as vscode from 'vscode';
import { withTrashedName, SessionError, shortPath, type FoundTrash } from '../../core/index';
import { requiredString } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { Answer, CommandHandler } from '../handler/commandHandler';
import { formatBytes } from '../handler/formatBytes';
import type { Notifier } from '../handler/notifications';
import { choose, confirm, nameList, type Choice } from '../handler/prompts';
import { truncateName } from '../handler/sessions/sessionNames';

export function trashCommands(deps: CommandDeps, notifier: Notifier) {
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

  const restore: CommandHandler<Answer<'sessionTree.restore'>> = {
    title: vscode.l10n.t('Restore from Trash'),
    runWithArguments: (args) => restoreDeleted(deps, { trashId: requiredString(args, 'trashId') }),
    runInteractive: async (call) => {
      const { trash } = await deps.writes();
      const [items, found] = [await trash.list(), await trash.found()];
      if (items.length + found.length === 0) throw new SessionError('not-found', 'The trash is empty.');
      const bring = await choose(call.title, vscode.l10n.t('Select a session to restore'), [
        ...items.map((item) => ({
          label: truncateName(item.name),
          description: `${formatTime(item.at)} · ${formatBytes(item.size)}`,
          detail: shortPath(item.path),
          value: () => restoreDeleted(deps, item),
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
        `${nameList(items.map(({ name, at }) => `${truncateName(name)} (${formatTime(at)})`))}\n\n${vscode.l10n.t('Frees {size}. You can’t undo this.', { size: formatBytes(size) })}`,
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

  return { 'sessionTree.restore': restore, 'sessionTree.emptyTrash': emptyTrash };
}

/** Restores a session that this installation has deleted. */
export async function restoreDeleted(
  deps: CommandDeps,
  { trashId, name }: { readonly trashId: string; readonly name?: string },
): Promise<{ path: string }> {
  const { trash } = await deps.writes();
  const { path } = await trash.restore(trashId).catch((error: unknown) => {
    throw name === undefined ? error : withTrashedName(error, truncateName(name));
  });
  await deps.refreshAfterWrite([path]);
  return { path };
}

/** Makes the choices for deletions without a record in the extension's storage, below a separator that says so. */
function unverifiedChoices<T>(found: readonly FoundTrash[], restore: (item: FoundTrash) => T): Choice<() => T>[] {
  const heading = { label: vscode.l10n.t('Not Deleted by This Installation'), kind: vscode.QuickPickItemKind.Separator };
  const choices = found.map((item) => ({
    label: truncateName(item.name),
    description: [...(item.at === undefined ? [] : [formatTime(item.at)]), vscode.l10n.t('not verified')].join(' · '),
    detail: shortPath(item.path),
    value: () => restore(item),
  }));
  const [first] = choices;
  return first ? [{ ...heading, value: first.value }, ...choices] : [];
}

const formatTime = (time: number): string =>
  new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
