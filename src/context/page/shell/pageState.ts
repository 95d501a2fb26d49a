/** What the editor keeps of this page while it is hidden and over a reload of the window. */
import { isObject } from '../../../core/format/entry/entry';

export interface StateStore {
  getState(): unknown;
  setState(state: unknown): void;
}

/** Milliseconds until changes are kept, so that scrolling costs nothing. */
const DELAY = 200;

export class PageState {
  private readonly restoredState: Readonly<Record<string, unknown>>;
  private readonly keys = new Map<string, () => unknown>();
  private waiting = false;

  constructor(private readonly store: StateStore) {
    const state = store.getState();
    this.restoredState = isObject(state) ? state : {};
  }

  /** What was kept under a key when the page was last there. Anything: whoever asks makes sure of its shape. */
  restored(key: string): unknown {
    return this.restoredState[key];
  }

  /** From now on what `read` says is kept under this key. */
  register(key: string, read: () => unknown): void {
    this.keys.set(key, read);
  }

  /** Something that is kept changed. */
  scheduleSave(): void {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.store.setState(Object.fromEntries([...this.keys].map(([key, read]) => [key, read()])));
    }, DELAY);
  }
}
