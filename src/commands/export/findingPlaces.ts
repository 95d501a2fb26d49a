/** The list of the entries that one finding of an export is in. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { EntryRef } from '../../contract';
import { createQuickPick } from '../../ui/safe/quickInput';
import type { CommandDeps } from '../handler/commandDeps';
import { fieldName } from './findingField';
import type { FindingGroup } from './findingGroups';
import { entryButtons, focusList, type LeftOutEntries } from './leftOutEntries';

interface PlaceItem extends vscode.QuickPickItem {
  /** Absent for the number of entries that aren't listed. */
  readonly entry?: EntryRef;
}

/** Shows the entries of a finding. Each can be gone to, and left out. Resolves once the person goes back or closes the list. */
export async function showFindingPlaces(deps: CommandDeps, group: FindingGroup, leftOut: LeftOutEntries, title: string): Promise<void> {
  const buttons = entryButtons();
  const picker = createQuickPick<PlaceItem>();
  const areSeveralSessions = new Set(group.places.map(({ path }) => path)).size > 1;
  const show = (active?: EntryRef): void => {
    const items = group.places.map(({ path, entryId, excerpt, field }): PlaceItem => {
      const entry = { path, entryId };
      const isOut = leftOut.has(entry);
      const facts = [isOut ? vscode.l10n.t('entry is left out') : '', fieldName(field), areSeveralSessions ? basename(path) : ''];
      return {
        label: excerpt,
        description: facts.filter((fact) => fact !== '').join(' · '),
        buttons: [buttons.goTo, isOut ? buttons.include : buttons.leaveOut],
        entry,
      };
    });
    picker.keepScrollPosition = active !== undefined;
    picker.items = [...items, ...unlistedItem(group.unlistedEntries)];
    if (active) picker.activeItems = items.filter(({ entry }) => entry?.entryId === active.entryId && entry.path === active.path);
  };
  const goTo = (entry: EntryRef): void => void deps.showEntry(entry, { preserveFocus: true }).finally(focusList);
  try {
    picker.title = title;
    picker.placeholder = vscode.l10n.t('Select an entry to go to it');
    picker.buttons = [vscode.QuickInputButtons.Back];
    picker.ignoreFocusOut = true;
    picker.matchOnDescription = true;
    show();
    picker.onDidTriggerItemButton(({ button, item: { entry } }) => {
      if (!entry) return;
      if (button === buttons.goTo) goTo(entry);
      else {
        leftOut.toggle(entry);
        show(entry);
      }
    });
    picker.onDidAccept(() => {
      const entry = picker.activeItems[0]?.entry;
      if (entry) goTo(entry);
    });
    await new Promise<void>((resolve) => {
      picker.onDidTriggerButton(() => resolve());
      picker.onDidHide(() => resolve());
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

const unlistedItem = (count: number): PlaceItem[] =>
  count === 0 ? [] : [{ label: vscode.l10n.t('and {count} more', { count }), kind: vscode.QuickPickItemKind.Separator }];
