import type { PageState } from './pageState';

/** Keys that are saved; the latest ones if there are more. */
const MAX_SAVED = 500;

/** Open and closed folds, where they differ from their default. Survives scrolling and reloads. */
export class FoldStates {
  private readonly changed: Map<string, boolean>;

  constructor(private readonly state: PageState) {
    const saved = state.restored('folds');
    this.changed = new Map(Array.isArray(saved) ? saved.filter(isFold) : []);
    state.register('folds', () => [...this.changed].slice(-MAX_SAVED));
  }

  isOpen(key: string, isOpenByDefault: boolean): boolean {
    return this.changed.get(key) ?? isOpenByDefault;
  }

  set(key: string, open: boolean, isOpenByDefault: boolean): void {
    if (this.isOpen(key, isOpenByDefault) === open) return;
    if (open === isOpenByDefault) this.changed.delete(key);
    else this.changed.set(key, open);
    this.state.scheduleSave();
  }
}

/** The part of the states that drawing needs. */
export type Folds = Pick<FoldStates, 'isOpen' | 'set'>;

const isFold = (pair: unknown): pair is [string, boolean] =>
  Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'boolean';
