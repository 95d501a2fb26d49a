/** What every part of the page is given: words, the way to the host, and what is folded. */
import type { FromPage, PageStrings } from '../protocol';
import type { ArticleStore } from './articleStore';

export interface Room {
  readonly strings: PageStrings;
  readonly send: (message: FromPage) => void;
  readonly store: ArticleStore;
  readonly folds: Folds;
}

/** Which parts are open, where that differs from how they begin. Survives scrolling and reloads. */
export class Folds {
  constructor(
    private readonly changed: Map<string, boolean>,
    private readonly onChange: () => void,
  ) {}

  isOpen(key: string, begins: boolean): boolean {
    return this.changed.get(key) ?? begins;
  }

  set(key: string, open: boolean, begins: boolean): void {
    if (this.isOpen(key, begins) === open) return;
    if (open === begins) this.changed.delete(key);
    else this.changed.set(key, open);
    this.onChange();
  }

  /** For the page's state; the latest ones if there are very many. */
  entries(): [string, boolean][] {
    return [...this.changed].slice(-500);
  }
}
