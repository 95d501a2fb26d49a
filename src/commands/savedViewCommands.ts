/** Commands that save the order, the groups and the filters of the Sessions view under a name, and show them again. */
import * as vscode from 'vscode';
import type { SavedView } from '../contract';
import { createFilledQuickPick } from '../ui/safe/quickInput';
import { requiredString } from './handler/commandArguments';
import type { CommandDeps } from './handler/commandDeps';
import type { CommandHandler } from './handler/commandHandler';
import { askText, chooseIn, confirm, type Choice } from './handler/prompts';
import { changeSetting, setting } from './viewCommands';

export function savedViewCommands(deps: CommandDeps) {
  const show = async ({ arrangement, filter, program }: SavedView): Promise<void> => {
    if ((setting('program') ?? 'all') !== program) await changeSetting('program', program);
    await deps.setFilter(filter);
    await deps.arrange({ tag: '', query: '', unfinishedOnly: false, ...arrangement });
  };

  const askAndSave = async (title: string, value: string): Promise<void> => {
    const name = await askText({
      title,
      value,
      placeHolder: vscode.l10n.t('Name of the view'),
      prompt: vscode.l10n.t('The order, the groups and the filters of the Sessions view are saved.'),
    });
    if (name.trim() === '') return;
    if (deps.savedViews.all().some((view) => view.name === name.trim()))
      await confirm(vscode.l10n.t('Replace the view “{name}”?', { name: name.trim() }), '', vscode.l10n.t('Replace'));
    await deps.savedViews.saveCurrent(name);
  };

  const saveView: CommandHandler<undefined> = {
    title: vscode.l10n.t('Save View'),
    runWithArguments: async (args) => {
      await deps.savedViews.saveCurrent(requiredString(args, 'name'));
      return undefined;
    },
    runInteractive: (call) => askAndSave(call.title, ''),
  };

  const applyView: CommandHandler<undefined> = {
    title: vscode.l10n.t('Saved Views'),
    runWithArguments: async (args) => {
      await show(deps.savedViews.get(requiredString(args, 'name')));
      return undefined;
    },
    runInteractive: async (call) => {
      const chosen = await chooseView(deps, call.title, true);
      if ('typed' in chosen) await askAndSave(call.title, chosen.typed);
      else await show(chosen);
    },
  };

  const deleteView: CommandHandler<undefined> = {
    title: vscode.l10n.t('Delete Saved View'),
    runWithArguments: async (args) => {
      await deps.savedViews.delete(requiredString(args, 'name'));
      return undefined;
    },
    runInteractive: async (call) => {
      const chosen = await chooseView(deps, call.title, false);
      if ('name' in chosen) await deps.savedViews.delete(chosen.name);
    },
  };

  return { 'sessionTree.saveView': saveView, 'sessionTree.applyView': applyView, 'sessionTree.deleteView': deleteView };
}

/**
 * Lets the person choose a saved view, delete views, or save the current one.
 *
 * @returns the view; to save, the text that was typed, which is probably the name
 * @throws {vscode.CancellationError}
 */
async function chooseView(deps: CommandDeps, title: string, canSave: boolean): Promise<SavedView | { readonly typed: string }> {
  const remove: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete') };
  const items = (): Choice<SavedView | 'save'>[] => [
    ...deps.savedViews.all().map((view) => ({ label: view.name, value: view, buttons: [remove] })),
    ...(canSave
      ? [{ label: vscode.l10n.t('Save Current View…'), iconPath: new vscode.ThemeIcon('add'), alwaysShow: true, value: 'save' as const }]
      : []),
  ];
  const picker = await createFilledQuickPick(items());
  picker.onDidTriggerItemButton(({ item: { value } }) => {
    if (value === 'save') return;
    void deps.savedViews.delete(value.name).then(() => (picker.items = items()));
  });
  const placeholder = deps.savedViews.all().length === 0 ? vscode.l10n.t('There are no saved views yet') : vscode.l10n.t('Select a view');
  let typed = '';
  picker.onDidChangeValue((value) => (typed = value));
  const chosen = await chooseIn(picker, title, placeholder);
  return chosen === 'save' ? { typed } : chosen;
}
