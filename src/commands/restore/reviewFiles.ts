/** The review of a restore: what would change beside a list of the files, in which the person ticks those to restore. */
import * as vscode from 'vscode';
import type { PlannedFile, RestorePlan } from '../../core/index';
import { createQuickPick } from '../../ui/quickInput';
import type { CommandDeps } from '../handler/commandDeps';
import { isChanged } from './planFiles';
import { isExact, RestoreDiff } from './restoreDiff';
import type { RestoreDocuments } from './restoreDocuments';
import { restoreItems, type RestoreItem } from './restoreItems';

/**
 * Shows what a plan would change. Certain files are ticked; those that can't be restored can't be ticked.
 *
 * @param decide is called with the ticked files while the changes are still shown
 * @throws {vscode.CancellationError}
 */
export async function reviewFiles<T>(
  deps: Pick<CommandDeps, 'log'>,
  documents: RestoreDocuments,
  { title, plan }: { readonly title: string; readonly plan: RestorePlan },
  decide: (chosen: readonly PlannedFile[]) => Promise<T>,
): Promise<T> {
  const diff = new RestoreDiff(documents, title);
  try {
    return await decide(await chooseFiles(deps, diff, title, plan));
  } finally {
    await diff.close();
  }
}

async function chooseFiles(deps: Pick<CommandDeps, 'log'>, diff: RestoreDiff, title: string, plan: RestorePlan): Promise<PlannedFile[]> {
  const showDiff: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('diff'), tooltip: vscode.l10n.t('Show the Change') };
  const picker = createQuickPick<RestoreItem>();
  const items = restoreItems(plan, showDiff);
  const count = items.filter(isTickable).length;
  const showCount = (): void => {
    picker.placeholder = vscode.l10n.t('{count} of {all} files selected. Enter continues', {
      count: picker.selectedItems.filter(isTickable).length,
      all: count,
    });
  };
  try {
    picker.title = title;
    picker.canSelectMany = true;
    picker.ignoreFocusOut = true;
    picker.matchOnDescription = true;
    picker.matchOnDetail = true;
    picker.items = items;
    picker.selectedItems = items.filter((item) => isTickable(item) && item.file !== undefined && isExact(item.file));
    showCount();
    picker.onDidChangeSelection((selected) => {
      if (!selected.every(isTickable)) picker.selectedItems = selected.filter(isTickable);
      showCount();
    });
    const open = (opening: Promise<void>): void =>
      // The opened editor has taken the focus.
      void opening.then(focusList, (error: unknown) => deps.log.error(error));
    picker.onDidTriggerItemButton(({ item: { file } }) => file && open(diff.open(file)));
    const accepted = await new Promise<boolean>((resolve) => {
      picker.onDidAccept(() => resolve(true));
      picker.onDidHide(() => resolve(false));
      picker.show();
      open(diff.openAll(plan));
    });
    if (!accepted) throw new vscode.CancellationError();
    return picker.selectedItems.filter(isTickable).flatMap(({ file }) => file ?? []);
  } finally {
    picker.dispose();
  }
}

const isTickable = ({ file }: RestoreItem): boolean => file !== undefined && isChanged(file);

/** Gives the list the focus again. */
const focusList = (): void => void vscode.commands.executeCommand('workbench.action.focusQuickOpen');
