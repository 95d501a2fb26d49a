/** The list in which a person reviews the findings that an export replaces. */
import * as vscode from 'vscode';
import type { EntryRef } from '../../contract';
import type { BatchChoices } from '../../core/index';
import { createQuickPick } from '../../ui/safe/quickInput';
import type { CommandDeps } from '../handler/commandDeps';
import { fieldName } from './findingField';
import type { FindingGroup, GroupedFindings } from './findingGroups';
import { showFindingPlaces } from './findingPlaces';
import { entryButtons, entryOf, focusList, LeftOutEntries, type EntryButtons } from './leftOutEntries';

/** The choices of a review: keys of findings, and entries. */
export interface Reviewed extends Required<BatchChoices> {
  readonly also: readonly string[];
  /** Images in separate files don't become part of the page. */
  readonly withoutFileImages: boolean;
}

interface FindingItem extends vscode.QuickPickItem {
  readonly group?: FindingGroup;
  /** The item of all images that are files. */
  readonly isImages?: true;
}

interface ItemButtons extends EntryButtons {
  readonly showPlaces: vscode.QuickInputButton;
}

const PERSONAL = new Set(['home', 'user', 'host', 'email']);

/**
 * Shows the findings by kind. The selected ones are replaced: at first all but the uncertain ones. Buttons go to the entry, or
 * leave it out. Nothing is shown if nothing was found.
 *
 * @param images number of images in separate files, which become part of the page unless they're selected
 * @throws {vscode.CancellationError}
 */
export async function reviewFindings(
  deps: CommandDeps,
  { groups, unlisted, more }: GroupedFindings,
  images: number,
  title: string,
): Promise<Reviewed> {
  if (groups.length === 0 && images === 0) return { keep: [], also: [], leaveOut: [], withoutFileImages: false };
  const buttons: ItemButtons = {
    ...entryButtons(),
    showPlaces: { iconPath: new vscode.ThemeIcon('list-unordered'), tooltip: vscode.l10n.t('Show Its Entries') },
  };
  const leftOut = new LeftOutEntries();
  let isPlacesOpen = false;
  const picker = createQuickPick<FindingItem>();
  const show = (selected: ReadonlySet<FindingGroup>, withoutImages: boolean, active?: FindingGroup): void => {
    const items = [...itemsOf(groups, leftOut, buttons), ...moreItems(more), ...imageItems(images)];
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
    const update = (active: FindingGroup | undefined): void =>
      show(new Set(picker.selectedItems.flatMap(({ group }) => group ?? [])), hasImages(picker.selectedItems), active);
    const showPlaces = async (group: FindingGroup): Promise<void> => {
      isPlacesOpen = true;
      try {
        await showFindingPlaces(deps, group, leftOut, title);
      } finally {
        isPlacesOpen = false;
        update(group);
        picker.show();
      }
    };
    picker.onDidTriggerItemButton(({ button, item: { group } }) => {
      if (!group) return;
      const entry = entryOf(group.finding);
      if (button === buttons.showPlaces) void showPlaces(group);
      else if (entry && button === buttons.goTo) void deps.showEntry(entry, { preserveFocus: true }).finally(focusList);
      else if (entry) {
        leftOut.toggle(entry);
        update(group);
      }
    });
    const accepted = await new Promise<boolean>((resolve) => {
      picker.onDidAccept(() => resolve(true));
      // The list of a finding's entries takes its place for a while.
      picker.onDidHide(() => isPlacesOpen || resolve(false));
      picker.show();
    });
    if (!accepted) throw new vscode.CancellationError();
    const reviewed = choicesOf(groups, new Set(picker.selectedItems.flatMap(({ group }) => group ?? [])), leftOut.all);
    return { ...reviewed, also: [...reviewed.also, ...unlisted], withoutFileImages: hasImages(picker.selectedItems) };
  } finally {
    picker.dispose();
  }
}

/** Returns the items at the end, which count the findings that the list has no room for. */
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

function choicesOf(
  groups: readonly FindingGroup[],
  selected: ReadonlySet<FindingGroup>,
  leaveOut: readonly EntryRef[],
): Omit<Reviewed, 'withoutFileImages'> {
  const keys = (of: readonly FindingGroup[]): string[] => of.map(({ finding }) => finding.key);
  return {
    keep: keys(groups.filter((group) => group.finding.uncertain !== true && !selected.has(group))),
    also: keys(groups.filter((group) => group.finding.uncertain === true && selected.has(group))),
    leaveOut,
  };
}

/** Returns the items in their sections: secrets, personal data, and what may be anything. */
function itemsOf(groups: readonly FindingGroup[], leftOut: LeftOutEntries, buttons: ItemButtons): FindingItem[] {
  const section = (label: string, of: readonly FindingGroup[]): FindingItem[] =>
    of.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...of.map((group) => itemOf(group, leftOut, buttons))];
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

function itemOf(group: FindingGroup, leftOut: LeftOutEntries, buttons: ItemButtons): FindingItem {
  const { finding, count, places } = group;
  const entry = entryOf(finding);
  const out = places.filter((place) => leftOut.has(place)).length;
  const placeCount = count === 1 ? vscode.l10n.t('1 place') : vscode.l10n.t('{count} places', { count });
  return {
    label: finding.excerpt,
    // In a line of its own, because a long label leaves no room for a description.
    detail: [...(out > 0 ? [leftOutText(out, places.length)] : []), finding.rule, placeCount, fieldName(finding.field)]
      .filter((fact) => fact !== '')
      .join(' · '),
    ...(entry === undefined && places.length === 0 ? {} : { buttons: buttonsOf(entry, group, leftOut, buttons) }),
    group,
  };
}

const leftOutText = (count: number, all: number): string =>
  all === 1 ? vscode.l10n.t('entry is left out') : vscode.l10n.t('entries left out: {count}', { count });

/** A finding in several entries has a list of them. */
function buttonsOf(
  entry: EntryRef | undefined,
  { places }: FindingGroup,
  leftOut: LeftOutEntries,
  { goTo, leaveOut, include, showPlaces }: ItemButtons,
): vscode.QuickInputButton[] {
  if (!entry || places.length > 1) return [showPlaces];
  return [goTo, leftOut.has(entry) ? include : leaveOut];
}
