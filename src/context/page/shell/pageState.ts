/** The state that VS Code keeps for the page while it is hidden and across window reloads. */
import { isObject } from '../../../core/format/values/jsonValues';

export interface StateStore {
  getState(): unknown;
  setState(state: unknown): void;
}

/** Milliseconds between a change and saving, so that scrolling stays cheap. */
const DELAY = 200;

export class PageState {
  private readonly restoredState: Readonly<Record<string, unknown>>;
  private readonly keys = new Map<string, () => unknown>();
  private waiting = false;

  constructor(private readonly store: StateStore) {
    const state = store.getState();
    this.restoredState = isObject(state) ? state : {};
  }

  /** Returns the saved value of a key, of unknown shape: the caller validates it. */
  restored(key: string): unknown {
    return this.restoredState[key];
  }

  /** Registers a key whose value `read` returns when the state is saved. */
  register(key: string, read: () => unknown): void {
    this.keys.set(key, read);
  }

  /** Schedules saving after a change. */
  scheduleSave(): void {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.store.setState(Object.fromEntries([...this.keys].map(([key, read]) => [key, read()])));
    }, DELAY);
  }
}
