/** The list in which a person reviews what an export replaces. */
import * as vscode from 'vscode';
import type { SeveralChoices } from '../../core/index';
import { createQuickPick } from '../../ui/quickInput';
import type { CommandDeps } from '../handler/commandDeps';
import type { FindingGroup, GroupedFindings } from './findingGroups';

/** The choices of a review: keys of findings, and entries. */
export interface Reviewed extends Required<SeveralChoices> {
  readonly also: readonly string[];
  /** Images that are files beside the sessions don't become part of the page. */
  readonly withoutFileImages: boolean;
}

type LeftOut = Reviewed['leaveOut'][number];

interface FindingItem extends vscode.QuickPickItem {
  readonly group?: FindingGroup;
  /** The item of all images that are files. */
  readonly isImages?: true;
}

const focusList = (): void => void vscode.commands.executeCommand('workbench.action.focusQuickOpen');

/** The buttons of a finding in an entry. */
interface EntryButtons {
  readonly goTo: vscode.QuickInputButton;
  readonly leaveOut: vscode.QuickInputButton;
  readonly include: vscode.QuickInputButton;
}

const entryButtons = (): EntryButtons => ({
  goTo: { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Go to Entry') },
  leaveOut: { iconPath: new vscode.ThemeIcon('remove'), tooltip: vscode.l10n.t('Leave Out Entry (What Follows Moves Up)') },
  include: { iconPath: new vscode.ThemeIcon('add'), tooltip: vscode.l10n.t('Include Entry Again') },
});

const PERSONAL = new Set(['home', 'user', 'host', 'email']);

/**
 * Shows the findings by kind. Those that are selected are replaced: at first all but the uncertain ones. Buttons go to the entry,
 * and leave it out. Nothing is shown if nothing was found.
 *
 * @param images number of images that are files beside the sessions, and become part of the page unless they're selected
 * @throws {vscode.CancellationError}
 */
export async function reviewFindings(
  deps: CommandDeps,
  { groups, unlisted, more }: GroupedFindings,
  images: number,
  title: string,
): Promise<Reviewed> {
  if (groups.length === 0 && images === 0) return { keep: [], also: [], leaveOut: [], withoutFileImages: false };
  const buttons = entryButtons();
  /** By session and entry. */
  const leaveOut = new Map<string, LeftOut>();
  const picker = createQuickPick<FindingItem>();
  const show = (selected: ReadonlySet<FindingGroup>, withoutImages: boolean, active?: FindingGroup): void => {
    const items = [...itemsOf(groups, leaveOut, buttons), ...moreItems(more), ...imageItems(images)];
    picker.keepScrollPosition = active !== undefined;
    picker.items = items;
    // Without an active item, the keys would continue at the top of the list.
    if (active) picker.activeItems = items.filter(({ group }) => group === active);
    picker.selectedItems = items.filter(
      ({ group, isImages }) => (group !== undefined && selected.has(group)) || (isImages === true && withoutImages),
    );
  };
  try {
    picker.title = title;
    picker.placeholder = vscode.l10n.t('Select what to replace, then press Enter');
    picker.canSelectMany = true;
    picker.ignoreFocusOut = true;
    picker.matchOnDescription = true;
    picker.matchOnDetail = true;
    show(new Set(groups.filter(({ finding }) => finding.uncertain !== true)), false);
    picker.onDidTriggerItemButton(({ button, item }) => {
      const entry = item.group && entryOf(item.group);
      if (!entry) return;
      if (button === buttons.goTo) {
        // The click took the focus from the list, and Enter with it.
        void deps.showEntry(entry, { preserveFocus: true }).finally(focusList);
        return;
      }
      if (!leaveOut.delete(keyOf(entry))) leaveOut.set(keyOf(entry), entry);
      show(new Set(picker.selectedItems.flatMap(({ group }) => group ?? [])), hasImages(picker.selectedItems), item.group);
    });
    const accepted = await new Promise<boolean>((resolve) => {
      picker.onDidAccept(() => resolve(true));
      picker.onDidHide(() => resolve(false));
      picker.show();
    });
    if (!accepted) throw new vscode.CancellationError();
    const reviewed = choicesOf(groups, new Set(picker.selectedItems.flatMap(({ group }) => group ?? [])), [...leaveOut.values()]);
    return { ...reviewed, also: [...reviewed.also, ...unlisted], withoutFileImages: hasImages(picker.selectedItems) };
  } finally {
    picker.dispose();
  }
}

/** Returns the items at the end, which count what the list has no room for. */
const moreItems = (more: number): FindingItem[] =>
  more === 0
    ? []
    : [
        {
          label: vscode.l10n.t('{count} more texts aren’t listed. They’re all replaced.', { count: more }),
          kind: vscode.QuickPickItemKind.Separator,
        },
      ];

/** The item of the images that aren't in the sessions' own files: no rule reads them. */
const imageItems = (count: number): FindingItem[] =>
  count === 0
    ? []
    : [
        { label: vscode.l10n.t('Images'), kind: vscode.QuickPickItemKind.Separator },
        {
          label: vscode.l10n.t('Images that are files beside the session: {count}', { count }),
          description: vscode.l10n.t('They become part of the page. Select this to leave them out.'),
          isImages: true,
        },
      ];

const hasImages = (items: readonly FindingItem[]): boolean => items.some(({ isImages }) => isImages === true);

const entryOf = ({ finding: { path, entryId } }: FindingGroup): LeftOut | undefined =>
  entryId === undefined ? undefined : { path, entryId };
const keyOf = ({ path, entryId }: LeftOut): string => `${entryId}\n${path}`;

function choicesOf(
  groups: readonly FindingGroup[],
  selected: ReadonlySet<FindingGroup>,
  leaveOut: readonly LeftOut[],
): Omit<Reviewed, 'withoutFileImages'> {
  const keys = (of: readonly FindingGroup[]): string[] => of.map(({ finding }) => finding.key);
  return {
    keep: keys(groups.filter((group) => group.finding.uncertain !== true && !selected.has(group))),
    also: keys(groups.filter((group) => group.finding.uncertain === true && selected.has(group))),
    leaveOut,
  };
}

/** Returns the items in their sections: secrets, personal data, and what may be anything. */
function itemsOf(groups: readonly FindingGroup[], leaveOut: ReadonlyMap<string, LeftOut>, buttons: EntryButtons): FindingItem[] {
  const section = (label: string, of: readonly FindingGroup[]): FindingItem[] =>
    of.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...of.map((group) => itemOf(group, leaveOut, buttons))];
  const certain = groups.filter(({ finding }) => finding.uncertain !== true);
  return [
    ...section(
      vscode.l10n.t('Secrets'),
      certain.filter(({ finding }) => !PERSONAL.has(finding.rule)),
    ),
    ...section(
      vscode.l10n.t('Personal Data'),
      certain.filter(({ finding }) => PERSONAL.has(finding.rule)),
    ),
    ...section(
      vscode.l10n.t('Uncertain'),
      groups.filter(({ finding }) => finding.uncertain === true),
    ),
  ];
}

function itemOf(group: FindingGroup, leaveOut: ReadonlyMap<string, LeftOut>, buttons: EntryButtons): FindingItem {
  const { finding, count } = group;
  const entry = entryOf(group);
  const isOut = entry !== undefined && leaveOut.has(keyOf(entry));
  const places = count === 1 ? vscode.l10n.t('1 place') : vscode.l10n.t('{count} places', { count });
  return {
    label: finding.excerpt,
    // Comes first, because the end of a long description is cut off.
    description: [...(isOut ? [vscode.l10n.t('entry is left out')] : []), finding.rule, places, finding.field].join(' · '),
    ...(entry === undefined ? {} : { buttons: [buttons.goTo, isOut ? buttons.include : buttons.leaveOut] }),
    group,
  };
}
