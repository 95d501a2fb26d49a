/** The items of the list in which a person reviews a restore: files by certainty, each with the reason why it isn't certain. */
import { relative } from 'node:path';
import * as vscode from 'vscode';
import { isWithin, shortPath, type PlannedFile, type RestoreAction, type RestorePlan } from '../../core/index';
import { isChanged } from './planFiles';
import { isExact } from './restoreDiff';

export interface RestoreItem extends vscode.QuickPickItem {
  readonly file?: PlannedFile;
}

/** Returns the items in their sections. Files that stay as they are, because nothing would change, aren't listed. */
export function restoreItems({ files, folder }: RestorePlan, showDiff: vscode.QuickInputButton): RestoreItem[] {
  const section = (label: string, of: readonly PlannedFile[]): RestoreItem[] =>
    of.length === 0 ? [] : [separator(label), ...of.map((file) => itemOf(file, folder, showDiff))];
  const changed = files.filter(isChanged);
  const of = (action: RestoreAction): PlannedFile[] => files.filter((file) => file.action === action);
  return [
    ...section(vscode.l10n.t('Certain'), changed.filter(isExact)),
    ...section(
      vscode.l10n.t('Likely, not selected'),
      changed.filter((file) => !isExact(file)),
    ),
    ...section(vscode.l10n.t('Conflicts with other changes, stay as they are'), of('conflict')),
    ...section(vscode.l10n.t('Stay as they are'), of('left')),
    separator(vscode.l10n.t('Changes by commands, such as formatters, sed or builds, aren’t recorded in sessions')),
  ];
}

const separator = (label: string): RestoreItem => ({ label, kind: vscode.QuickPickItemKind.Separator });

function itemOf(file: PlannedFile, folder: string, showDiff: vscode.QuickInputButton): RestoreItem {
  const { action, reason, text, was } = file;
  const { icon, words } = factsOf(action);
  return {
    label: nameIn(folder, file.file),
    description: words,
    iconPath: new vscode.ThemeIcon(icon),
    ...(reason === undefined ? {} : { detail: vscode.l10n.t(reason) }),
    ...(text === undefined && was === null ? {} : { buttons: [showDiff] }),
    file,
  };
}

/** Returns the name of a file in its folder; that of a file outside of it in short. */
export const nameIn = (folder: string, file: string): string =>
  isWithin(file, folder, process.platform) ? relative(folder, file) : shortPath(file);

function factsOf(action: RestoreAction): { readonly icon: string; readonly words: string } {
  switch (action) {
    case 'write':
      return { icon: 'diff-modified', words: vscode.l10n.t({ message: 'changes', comment: 'What restoring does to a file' }) };
    case 'create':
      return { icon: 'diff-added', words: vscode.l10n.t({ message: 'is created', comment: 'What restoring does to a file' }) };
    case 'delete':
      return { icon: 'diff-removed', words: vscode.l10n.t({ message: 'is deleted', comment: 'What restoring does to a file' }) };
    case 'merge':
      return { icon: 'git-merge', words: vscode.l10n.t('changes, your own edits are kept') };
    case 'conflict':
      return { icon: 'warning', words: vscode.l10n.t('conflict') };
    case 'left':
    case 'none':
      return { icon: 'circle-slash', words: '' };
  }
}
