/** The sessions that were pinned in the Sessions view, by their ids: a session keeps its id when it's archived or moved. */
import type * as vscode from 'vscode';
import { isArray } from '../../core/index';

const KEY = 'sessionTree.pinned';
/** Pins of deleted sessions are kept, because these may be restored. Beyond this number the oldest pins are dropped. */
const MAX_PINS = 1000;
/** Ids come from session files, and are stored; no program has longer ones. */
const MAX_ID_LENGTH = 200;

export class PinState {
  private pinned: ReadonlySet<string>;

  /** @param state shared by all windows */
  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.pinned = this.stored();
  }

  has = (id: string): boolean => this.pinned.has(keyOf(id));

  /** Pins sessions, or takes their pins away. Keeps what other windows have pinned meanwhile. */
  async set(ids: readonly string[], isPinned: boolean): Promise<void> {
    const keys = ids.map(keyOf);
    const others = [...this.stored()].filter((key) => !keys.includes(key));
    this.pinned = new Set([...others, ...(isPinned ? keys : [])].slice(-MAX_PINS));
    await this.state.update(KEY, [...this.pinned]);
  }

  private stored(): Set<string> {
    const stored = this.state.get<unknown>(KEY);
    return new Set(isArray(stored) ? stored.filter((id) => typeof id === 'string') : []);
  }
}

const keyOf = (id: string): string => id.slice(0, MAX_ID_LENGTH);
