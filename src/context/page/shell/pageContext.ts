/** What every part of the page is given: words, the way to the host, what is there, and what is folded. */
import type { FromPage, PageStrings } from '../../shared/protocol';
import type { ArticleStore } from '../messages/articleStore';
import type { PageState } from './pageState';
import type { PathLinks } from '../content/pathLinks';
import type { MarkdownPreparer } from '../content/markdownView';

export interface PageContext {
  readonly strings: PageStrings;
  readonly send: (message: FromPage) => void;
  readonly store: ArticleStore;
  readonly folds: FoldStates;
  readonly state: PageState;
  readonly pathLinks: PathLinks;
  readonly markdown: MarkdownPreparer;
  /** Says something to those who do not see the page. */
  readonly announce: (text: string) => void;
}

/** Which parts are open, where that differs from how they begin. Survives scrolling and reloads. */
export class FoldStates {
  private readonly changed: Map<string, boolean>;

  constructor(private readonly state: PageState) {
    const before = state.restored('folds');
    this.changed = new Map(Array.isArray(before) ? before.filter(isFold) : []);
    // The latest ones if there are very many.
    state.register('folds', () => [...this.changed].slice(-500));
  }

  isOpen(key: string, begins: boolean): boolean {
    return this.changed.get(key) ?? begins;
  }

  set(key: string, open: boolean, begins: boolean): void {
    if (this.isOpen(key, begins) === open) return;
    if (open === begins) this.changed.delete(key);
    else this.changed.set(key, open);
    this.state.scheduleSave();
  }
}

const isFold = (pair: unknown): pair is [string, boolean] => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'boolean';
