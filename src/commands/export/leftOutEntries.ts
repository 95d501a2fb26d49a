/** The entries that a person leaves out of an export, and the buttons for that. */
import * as vscode from 'vscode';
import type { EntryRef } from '../../contract';
import type { SessionFinding } from '../../core/index';

/** Returns the entry that a finding is in; `undefined` for a session's header. */
export const entryOf = ({ path, entryId }: SessionFinding): EntryRef | undefined => (entryId === undefined ? undefined : { path, entryId });

const keyOf = ({ path, entryId }: EntryRef): string => `${entryId}\n${path}`;

export class LeftOutEntries {
  private readonly byKey = new Map<string, EntryRef>();

  get all(): EntryRef[] {
    return [...this.byKey.values()];
  }

  has(entry: EntryRef): boolean {
    return this.byKey.has(keyOf(entry));
  }

  /** Leaves an entry out, or includes it again. */
  toggle(entry: EntryRef): void {
    if (!this.byKey.delete(keyOf(entry))) this.byKey.set(keyOf(entry), entry);
  }
}

/** The buttons of a finding in an entry. */
export interface EntryButtons {
  readonly goTo: vscode.QuickInputButton;
  readonly leaveOut: vscode.QuickInputButton;
  readonly include: vscode.QuickInputButton;
}

export const entryButtons = (): EntryButtons => ({
  goTo: { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Go to Entry') },
  leaveOut: { iconPath: new vscode.ThemeIcon('remove'), tooltip: vscode.l10n.t('Leave Out Entry (What Follows Moves Up)') },
  include: { iconPath: new vscode.ThemeIcon('add'), tooltip: vscode.l10n.t('Include Entry Again') },
});

/** Gives the list of findings the focus again. The click on a button took it, and Enter with it. */
export const focusList = (): void => void vscode.commands.executeCommand('workbench.action.focusQuickOpen');
