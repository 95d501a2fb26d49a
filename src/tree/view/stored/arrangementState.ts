/** The chosen order and grouping, stored with the workspace, and the context keys that mark them in menus. */
import * as vscode from 'vscode';
import { SESSION_GROUPINGS, SESSION_SORTS, type Arrangement } from '../../../contract';
import { isObject, MAX_QUERY_UNITS } from '../../../core/index';
import { DEFAULT_ARRANGEMENT } from '../../projects/arrangement';

const KEY = 'sessionTree.arrangement';

export class ArrangementState {
  private current: Arrangement;

  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.current = checkedArrangement(state.get<unknown>(KEY));
    this.setContextKeys();
  }

  get(): Arrangement {
    return this.current;
  }

  async set(change: Partial<Arrangement>): Promise<void> {
    this.current = { ...this.current, ...change };
    this.setContextKeys();
    await this.state.update(KEY, this.current);
  }

  private setContextKeys(): void {
    for (const [name, value] of Object.entries(this.current))
      void vscode.commands.executeCommand('setContext', `sessionTree.${name}`, value);
  }
}

/** Unknown values, as another version may have stored, count as the default. */
export function checkedArrangement(stored: unknown): Arrangement {
  if (!isObject(stored)) return DEFAULT_ARRANGEMENT;
  return {
    sort: SESSION_SORTS.find((sort) => sort === stored['sort']) ?? DEFAULT_ARRANGEMENT.sort,
    group: SESSION_GROUPINGS.find((group) => group === stored['group']) ?? DEFAULT_ARRANGEMENT.group,
    workspaceOnly: stored['workspaceOnly'] === true,
    ...(typeof stored['tag'] === 'string' ? { tag: stored['tag'] } : {}),
    ...(typeof stored['query'] === 'string' ? { query: stored['query'].slice(0, MAX_QUERY_UNITS) } : {}),
    ...(stored['unfinishedOnly'] === true ? { unfinishedOnly: true } : {}),
  };
}
