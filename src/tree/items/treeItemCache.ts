/** Creates the items of rows, and remembers how each row looked when the editor last saw it. */
import type * as vscode from 'vscode';
import type { Arrangement } from '../../contract';
import type { Presence, SessionStore, SessionSummary, PendingChange } from '../../core/index';
import type { RowContext } from './rowContext';
import { createTreeItem, treeItemFingerprint } from './treeItems';
import type { ExpandedRows } from '../view/stored/expandedRows';
import type { ViewRow } from '../rows/viewRows';
import { isRunning } from './isRunning';

export interface TreeItemCacheDeps {
  readonly store: Pick<SessionStore, 'files'>;
  readonly arrangement: () => Arrangement;
  readonly settings: () => Pick<RowContext, 'showsBadges' | 'opensOnClick'>;
  readonly presence: (path: string) => Presence | undefined;
  /** True if a session's program waits for the person. */
  readonly needsInput: (path: string) => boolean;
  /** The changes that wait until a session is free. */
  readonly pendingChanges: (path: string) => readonly PendingChange[];
  /** The entry of a session whose files are on the disk now. */
  readonly filesHere: (path: string) => string | undefined;
}

export class TreeItemCache {
  private readonly fingerprints = new WeakMap<ViewRow, string>();

  constructor(
    private readonly deps: TreeItemCacheDeps,
    private readonly openRows: Pick<ExpandedRows, 'get'>,
  ) {}

  /** The item that the editor shows. */
  treeItem(row: ViewRow): vscode.TreeItem {
    const item = createTreeItem(row, this.rowContext());
    this.fingerprints.set(row, treeItemFingerprint(item));
    // The editor keeps the expansion of an item with a known id.
    if (row.row === 'project' && this.isNarrowed()) item.id = `${row.id}\0found`;
    return item;
  }

  /**
   * Returns a predicate: true for rows that look different from when the editor last saw them. The editor has yet to request
   * the items of other rows.
   */
  changedSinceShown(): (row: ViewRow) => boolean {
    const context = this.rowContext();
    return (row) => {
      const shown = this.fingerprints.get(row);
      return shown !== undefined && shown !== treeItemFingerprint(createTreeItem(row, context));
    };
  }

  /** True if a row is expanded when the editor first shows it. */
  isExpanded(row: ViewRow): boolean {
    if (row.row === 'project' && this.isNarrowed()) return true;
    return this.openRows.get(row) ?? (row.row === 'group' || (row.row === 'project' && row.project.inWorkspace));
  }

  /** True if the list has only sessions that a person looks for, so projects don't hide them. */
  private isNarrowed(): boolean {
    const { unfinishedOnly = false, tag = '', query = '' } = this.deps.arrangement();
    return unfinishedOnly || tag !== '' || query !== '';
  }

  private rowContext(): RowContext {
    const { store, presence, pendingChanges: waiting } = this.deps;
    const { showsBadges, opensOnClick } = this.deps.settings();
    return {
      now: Date.now(),
      arrangement: this.deps.arrangement(),
      showsBadges,
      opensOnClick,
      pendingChanges: waiting,
      filesHere: this.deps.filesHere,
      isLive: (path) => isRunning(presence(path)),
      presence,
      needsInput: this.deps.needsInput,
      summary: (path): SessionSummary | undefined => {
        const file = store.files().get(path);
        return file?.kind === 'session' ? file.summary : undefined;
      },
      isExpanded: (row) => this.isExpanded(row),
    };
  }
}
