/** How rows look now, and how each looked when the editor saw it last. */
import type * as vscode from 'vscode';
import type { Presence, SessionStore, SessionSummary, Waiting } from '../core/index';
import { itemOf, seen, type Surroundings } from './items';
import type { OpenRows } from './openRows';
import type { ViewRow } from './rows';
import { isRunning } from './running';

export interface LooksDeps {
  readonly store: Pick<SessionStore, 'files'>;
  readonly presence: (path: string) => Presence | undefined;
  /** What waits until a session is free. */
  readonly waiting: (path: string) => readonly Waiting[];
}

export class Looks {
  private readonly last = new WeakMap<ViewRow, string>();

  constructor(
    private readonly deps: LooksDeps,
    private readonly openRows: Pick<OpenRows, 'get'>,
  ) {}

  /** What the editor gets to see. */
  item(row: ViewRow): vscode.TreeItem {
    const item = itemOf(row, this.surroundings());
    this.last.set(row, seen(item));
    return item;
  }

  /** Whether rows look other than when the editor saw them; those that it never saw do. */
  differences(): (row: ViewRow) => boolean {
    const around = this.surroundings();
    return (row) => this.last.get(row) !== seen(itemOf(row, around));
  }

  wasSeen(row: ViewRow): boolean {
    return this.last.has(row);
  }

  private surroundings(): Surroundings {
    const { store, presence, waiting } = this.deps;
    return {
      now: Date.now(),
      waiting,
      isLive: (path) => isRunning(presence(path)),
      summary: (path): SessionSummary | undefined => {
        const file = store.files().get(path);
        return file?.kind === 'session' ? file.summary : undefined;
      },
      isOpen: (row) => this.openRows.get(row) ?? (row.row === 'project' && row.project.inWorkspace),
    };
  }
}
