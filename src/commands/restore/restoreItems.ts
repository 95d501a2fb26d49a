/** The rows of the review of a restore: files by certainty, each with the reason why it isn't certain. */
import { basename, dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import { briefReason, isWithin, shortPath, type PlannedFile, type RestoreAction, type RestorePlan } from '../../core/index';
import { isChanged } from './planFiles';
import { isExact } from './restoreDiff';

/** Files with something in common. */
export interface RestoreSection {
  readonly kind: 'section';
  readonly label: string;
  readonly files: readonly RestoreFile[];
  /** Explains the section. */
  readonly hint?: string;
  /** True if its files can be ticked. */
  readonly isTickable: boolean;
}

export interface RestoreFile {
  readonly kind: 'file';
  /** The name in the session's folder. */
  readonly name: string;
  readonly file: PlannedFile;
  /** True for a file that isn't part of the plan, since no session edited it. */
  readonly isUnrecorded?: true;
}

/** Returns the files in their sections. Files that stay as they are, because nothing would change, aren't in any. */
export function restoreSections({ files, folder }: Pick<RestorePlan, 'files' | 'folder'>): RestoreSection[] {
  const section = (label: string, of: readonly PlannedFile[], isTickable: boolean): RestoreSection => ({
    kind: 'section',
    label,
    files: of.map((file) => ({ kind: 'file', name: nameIn(folder, file.file), file })),
    isTickable,
  });
  const changed = files.filter(isChanged);
  const of = (action: RestoreAction): PlannedFile[] => files.filter((file) => file.action === action);
  return [
    section(vscode.l10n.t('Certain'), changed.filter(isExact), true),
    section(
      vscode.l10n.t('Likely restorable'),
      changed.filter((file) => !isExact(file)),
      true,
    ),
    section(vscode.l10n.t('Conflicts'), of('conflict'), false),
    section(vscode.l10n.t('Not restored'), of('left'), false),
  ].filter((one) => one.files.length > 0);
}

/** Returns the section of files that Git shows as changed although no session recorded an edit of them. They're never restored. */
export function unrecordedSection(folder: string, files: readonly string[]): RestoreSection {
  return {
    kind: 'section',
    label: vscode.l10n.t('Changed without a recorded edit'),
    hint: vscode.l10n.t(
      'Git shows these files as changed, but no session recorded an edit: a command or a person changed them. They stay as they are.',
    ),
    isTickable: false,
    files: files.map((file) => ({
      kind: 'file',
      name: nameIn(folder, file),
      file: { file, action: 'left', certainty: 'unknown', was: null },
      isUnrecorded: true,
    })),
  };
}

/** Returns the row of a section. */
export function sectionItem({ label, hint, files }: RestoreSection): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, hint === undefined ? Expanded : Collapsed);
  item.id = label;
  item.description = String(files.length);
  item.tooltip = hint ?? label;
  item.accessibilityInformation = { label: `${label}, ${countedFiles(files.length)}` };
  return item;
}

const countedFiles = (count: number): string => (count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{count} files', { count }));

/** Returns the row of a file. @param open the command that shows the difference; called with the file's path */
export function fileItem(row: RestoreFile, open: string): vscode.TreeItem {
  const { name, file } = row;
  const { icon, words } = factsOf(file.action);
  const reason = file.reason === undefined ? '' : vscode.l10n.t(file.reason);
  const brief = file.reason === undefined ? '' : vscode.l10n.t(briefReason(file.reason));
  // A narrow side bar cuts the end off, so what happens to the file is first.
  const item = new vscode.TreeItem(basename(name), vscode.TreeItemCollapsibleState.None);
  const folder = dirname(name);
  item.id = file.file;
  item.description = [words, brief, folder === '.' ? '' : folder].filter((part) => part !== '').join(' · ');
  item.tooltip = [shortPath(file.file), words, reason].filter((part) => part !== '').join('\n');
  item.iconPath = new vscode.ThemeIcon(row.isUnrecorded ? 'question' : icon);
  item.accessibilityInformation = { label: [name, words, reason].filter((part) => part !== '').join(', ') };
  if (row.isUnrecorded) item.command = { command: 'vscode.open', title: '', arguments: [vscode.Uri.file(file.file)] };
  else if (file.text !== undefined || file.was !== null)
    item.command = { command: open, title: vscode.l10n.t('Show the Change'), arguments: [file.file] };
  return item;
}

/** Returns the name of a file in its folder; that of a file outside of it in short. */
export const nameIn = (folder: string, file: string): string =>
  isWithin(file, folder, process.platform) ? relative(folder, file) : shortPath(file);

/** The icon of an action, and what it does, unless that's to change the text. */
function factsOf(action: RestoreAction): { readonly icon: string; readonly words: string } {
  switch (action) {
    case 'write':
      return { icon: 'diff-modified', words: '' };
    case 'create':
      return { icon: 'diff-added', words: vscode.l10n.t({ message: 'is created', comment: 'What restoring does to a file' }) };
    case 'delete':
      return { icon: 'diff-removed', words: vscode.l10n.t({ message: 'is deleted', comment: 'What restoring does to a file' }) };
    case 'merge':
      return { icon: 'git-merge', words: vscode.l10n.t('your own edits are kept') };
    case 'conflict':
      return { icon: 'warning', words: '' };
    case 'left':
    case 'none':
      return { icon: 'circle-slash', words: '' };
  }
}
