/** Data that items of several kinds are made of. */
import * as vscode from 'vscode';
import type { PendingChange, Presence, SessionSummary } from '../../core/index';
import type { Arrangement } from '../../contract';
import type { ViewRow } from '../rows/viewRows';

/** Data that rows show in addition to their own. */
export interface RowContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isLive: (path: string) => boolean;
  /** The signs of the program that a running session belongs to. */
  readonly presence: (path: string) => Presence | undefined;
  /** True if a session's program waits for the person. */
  readonly needsInput: (path: string) => boolean;
  /** The changes that wait until a session is free. */
  readonly pendingChanges: (path: string) => readonly PendingChange[];
  /** The entry of a session whose files are on the disk now. */
  readonly filesHere: (path: string) => string | undefined;
  readonly summary: (path: string) => SessionSummary | undefined;
  readonly arrangement: Arrangement;
  /** False if the person has switched the badges of rows off: then texts have to say what they would. */
  readonly showsBadges: boolean;
  /** True if a click on a session opens its context. Otherwise it expands the row. */
  readonly opensOnClick: boolean;
  /** True if a row is expanded when the editor first shows it. */
  readonly isExpanded: (row: ViewRow) => boolean;
}

/** The editor cuts texts at the view's width; longer ones than this aren't passed to it. */
export const TITLE_LENGTH = 200;

/** The click on a row that shows its context. The focus stays in the tree, so that the arrow keys keep moving between rows. */
export const showContext = (row: ViewRow): vscode.Command => ({
  command: 'sessionTree.showContext',
  title: vscode.l10n.t('Show Context'),
  arguments: [row, { preserveFocus: true }],
});

/** Builds a `contextValue`: words that the `when` clauses of menus match individually. */
export function contextValueOf(always: string, more: Readonly<Record<string, boolean>>): string {
  return [always, ...Object.keys(more).filter((name) => more[name] === true)].join(' ');
}
