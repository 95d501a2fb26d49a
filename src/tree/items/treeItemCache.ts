/** How rows look now, and how each looked when the editor saw it last. */
import type * as vscode from 'vscode';
import type { Presence, SessionStore, SessionSummary, PendingChange } from '../../core/index';
import { createTreeItem, treeItemFingerprint, type RowContext } from './treeItems';
import type { ExpandedRows } from '../view/expandedRows';
import type { ViewRow } from '../rows/viewRows';
import { isRunning } from './isRunning';

export interface TreeItemCacheDeps {
  readonly store: Pick<SessionStore, 'files'>;
  readonly presence: (path: string) => Presence | undefined;
  /** What waits until a session is free. */
  readonly pendingChanges: (path: string) => readonly PendingChange[];
}

export class TreeItemCache {
  private readonly fingerprints = new WeakMap<ViewRow, string>();

  constructor(
    private readonly deps: TreeItemCacheDeps,
    private readonly openRows: Pick<ExpandedRows, 'get'>,
  ) {}

  /** What the editor gets to see. */
  treeItem(row: ViewRow): vscode.TreeItem {
    const item = createTreeItem(row, this.rowContext());
    this.fingerprints.set(row, treeItemFingerprint(item));
    return item;
  }

  /** Whether rows look other than when the editor saw them; those that it never saw do. */
  changedSinceShown(): (row: ViewRow) => boolean {
    const around = this.rowContext();
    return (row) => this.fingerprints.get(row) !== treeItemFingerprint(createTreeItem(row, around));
  }

  wasShown(row: ViewRow): boolean {
    return this.fingerprints.has(row);
  }

  private rowContext(): RowContext {
    const { store, presence, pendingChanges: waiting } = this.deps;
    return {
      now: Date.now(),
      pendingChanges: waiting,
      isLive: (path) => isRunning(presence(path)),
      summary: (path): SessionSummary | undefined => {
        const file = store.files().get(path);
        return file?.kind === 'session' ? file.summary : undefined;
      },
      isExpanded: (row) => this.openRows.get(row) ?? (row.row === 'project' && row.project.inWorkspace),
    };
  }
}
