/** The question before files are restored, and what the person should know before the answer. */
import * as vscode from 'vscode';
import { isWithin, shortPath, type PlannedFile } from '../../core/index';
import { workspaceFolderPaths } from '../../ui/workspaceFolders';
import type { CommandDeps } from '../handler/commandDeps';
import { newestFirst } from '../handler/sessions/newestFirst';
import { confirm, nameList } from '../handler/prompts';
import { sessionDisplayName } from '../handler/sessions/sessionNames';

/** The newest sessions of a folder in which a program may be at work. */
const MAX_SESSIONS = 200;

interface Question {
  readonly folder: string;
  readonly chosen: readonly PlannedFile[];
  /** True if the session also branches. */
  readonly branches: boolean;
}

/** Asks before anything is written. @throws {vscode.CancellationError} */
export async function confirmRestore(deps: CommandDeps, { folder, chosen, branches }: Question): Promise<void> {
  const args = { folder: shortPath(folder) };
  const question = branches
    ? vscode.l10n.t('Branch here and restore files in {folder}?', args)
    : vscode.l10n.t('Restore files in {folder}?', args);
  const deleted = chosen.filter(({ action }) => action === 'delete').length;
  const running = await runningIn(deps, folder);
  const isOpen = workspaceFolderPaths().some(
    (open) => isWithin(folder, open, process.platform) || isWithin(open, folder, process.platform),
  );
  await confirm(
    question,
    [
      ...(running.length === 0
        ? []
        : [`${vscode.l10n.t('An agent is at work in this folder, and may write to the same files:')}\n${nameList(running)}`]),
      ...(isOpen ? [] : [vscode.l10n.t('The folder isn’t part of this workspace.')]),
      ...(deleted === 0 ? [] : [vscode.l10n.t('Files that weren’t there yet, and are deleted: {count}', { count: deleted })]),
      commandsNotice(),
      vscode.l10n.t('You can undo this.'),
    ].join('\n\n'),
    restoreLabel(chosen.length),
  );
}

export const restoreLabel = (count: number): string =>
  count === 1 ? vscode.l10n.t('Restore 1 File') : vscode.l10n.t('Restore {count} Files', { count });

/** Says what sessions don't record. */
export const commandsNotice = (): string =>
  vscode.l10n.t('Changes by commands, such as formatters, sed or builds, aren’t recorded in sessions.');

/** Returns the names of the sessions that a program has open in a folder. */
async function runningIn(deps: CommandDeps, folder: string): Promise<string[]> {
  const inside = deps.sessions().filter(({ cwd }) => cwd !== '' && isWithin(cwd, folder, process.platform));
  const paths = (await newestFirst(inside)).slice(0, MAX_SESSIONS).map(({ path }) => path);
  const presence = await deps.writer.presence(paths);
  return paths.filter((path) => presence.get(path)?.state === 'live').map((path) => sessionDisplayName(deps, path));
}
