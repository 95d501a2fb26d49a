/** What every part of the page is given: words, the way to the host, what is there, and what is folded. */
import type { FromPage, PageStrings } from '../protocol';
import type { ArticleStore } from './articleStore';
import type { Kept } from './kept';
import type { PathLinks } from './pathLinks';
import type { Prose } from './prose';

export interface Room {
  readonly strings: PageStrings;
  readonly send: (message: FromPage) => void;
  readonly store: ArticleStore;
  readonly folds: Folds;
  readonly kept: Kept;
  readonly paths: PathLinks;
  readonly prose: Prose;
  /** Says something to those who do not see the page. */
  readonly say: (text: string) => void;
}

/** Which parts are open, where that differs from how they begin. Survives scrolling and reloads. */
export class Folds {
  private readonly changed: Map<string, boolean>;

  constructor(private readonly kept: Kept) {
    const before = kept.was('folds');
    this.changed = new Map(Array.isArray(before) ? before.filter(isFold) : []);
    // The latest ones if there are very many.
    kept.keep('folds', () => [...this.changed].slice(-500));
  }

  isOpen(key: string, begins: boolean): boolean {
    return this.changed.get(key) ?? begins;
  }

  set(key: string, open: boolean, begins: boolean): void {
    if (this.isOpen(key, begins) === open) return;
    if (open === begins) this.changed.delete(key);
    else this.changed.set(key, open);
    this.kept.changed();
  }
}

const isFold = (pair: unknown): pair is [string, boolean] => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'boolean';
