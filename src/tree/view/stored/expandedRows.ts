/** The rows that a person expanded or collapsed, stored with the workspace because the editor forgets them with its window. */
import type * as vscode from 'vscode';
import { isObject } from '../../../core/index';
import type { ViewRow } from '../../rows/viewRows';

/** Projects and other groups have different defaults, so both states are stored. For all other rows, only expansion is. */
const PROJECTS_KEY = 'sessionTree.openProjects';
const ROWS_KEY = 'sessionTree.openRows';

/** The number of sessions and branches that are expanded again after a reload; the most recently expanded are kept. */
const MAX_EXPANDED_ROWS = 50;

export class ExpandedRows {
  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {}

  /** `undefined` if the person never changed it. */
  get(row: ViewRow): boolean | undefined {
    const group = groupKey(row);
    if (group !== undefined) return this.projects()[group];
    return this.rows().includes(row.id) ? true : undefined;
  }

  set(row: ViewRow, open: boolean): void {
    const group = groupKey(row);
    if (group !== undefined) {
      if (this.get(row) !== open) void this.state.update(PROJECTS_KEY, { ...this.projects(), [group]: open });
    } else if ((row.row === 'session' || row.row === 'branch') && (this.get(row) ?? false) !== open) {
      const others = this.rows().filter((id) => id !== row.id);
      void this.state.update(ROWS_KEY, open ? [...others, row.id].slice(-MAX_EXPANDED_ROWS) : others);
    }
  }

  private projects(): Readonly<Record<string, boolean>> {
    const all = this.state.get<unknown>(PROJECTS_KEY);
    return isObject(all)
      ? Object.fromEntries(Object.entries(all).filter((pair): pair is [string, boolean] => typeof pair[1] === 'boolean'))
      : {};
  }

  private rows(): readonly string[] {
    const all = this.state.get<unknown>(ROWS_KEY);
    return Array.isArray(all) ? all.filter((id) => typeof id === 'string') : [];
  }
}

/** A project's folder, or the id of the row of a worktree or another group. */
function groupKey(row: ViewRow): string | undefined {
  if (row.row === 'project') return row.project.worktree ? row.id : row.cwd;
  return row.row === 'group' ? row.id : undefined;
}
