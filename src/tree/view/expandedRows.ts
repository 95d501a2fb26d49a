/** Which rows a person opened or closed, remembered with the workspace: the editor forgets it with its window. */
import type * as vscode from 'vscode';
import { isObject } from '../../core/index';
import type { ViewRow } from '../rows/viewRows';

/** Projects are open or closed by themselves, so that both are remembered; all others only while they are open. */
const PROJECTS_KEY = 'sessionTree.openProjects';
const ROWS_KEY = 'sessionTree.openRows';

/** Sessions and branches that are open again after a reload, those that were opened last. */
const MAX_EXPANDED_ROWS = 50;

export class ExpandedRows {
  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {}

  /** `undefined`: nobody touched it. */
  get(row: ViewRow): boolean | undefined {
    if (row.row === 'project') return this.projects()[row.cwd];
    return this.rows().includes(row.id) ? true : undefined;
  }

  set(row: ViewRow, open: boolean): void {
    if (row.row === 'project') {
      if (this.get(row) !== open) void this.state.update(PROJECTS_KEY, { ...this.projects(), [row.cwd]: open });
    } else if ((row.row === 'session' || row.row === 'branch') && (this.get(row) ?? false) !== open) {
      const others = this.rows().filter((id) => id !== row.id);
      void this.state.update(ROWS_KEY, open ? [...others, row.id].slice(-MAX_EXPANDED_ROWS) : others);
    }
  }

  private projects(): Readonly<Record<string, boolean>> {
    const all = this.state.get<unknown>(PROJECTS_KEY);
    return isObject(all) ? Object.fromEntries(Object.entries(all).filter((pair): pair is [string, boolean] => typeof pair[1] === 'boolean')) : {};
  }

  private rows(): readonly string[] {
    const all = this.state.get<unknown>(ROWS_KEY);
    return Array.isArray(all) ? all.filter((id) => typeof id === 'string') : [];
  }
}
