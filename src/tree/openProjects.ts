/** Which projects a person opened or closed, remembered with the workspace. */
import type * as vscode from 'vscode';
import { isObject } from '../core/index';
import type { ViewRow } from './rows';

const KEY = 'sessionTree.openProjects';

export class OpenProjects {
  constructor(private readonly state: vscode.Memento) {}

  /** `undefined`: nobody touched it. */
  get(cwd: string): boolean | undefined {
    const open = this.all()[cwd];
    return typeof open === 'boolean' ? open : undefined;
  }

  set(row: ViewRow, open: boolean): void {
    if (row.row === 'project' && this.get(row.cwd) !== open) void this.state.update(KEY, { ...this.all(), [row.cwd]: open });
  }

  private all(): Readonly<Record<string, unknown>> {
    const all = this.state.get<unknown>(KEY);
    return isObject(all) ? all : {};
  }
}
