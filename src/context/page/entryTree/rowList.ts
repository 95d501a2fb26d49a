/** A list of equally high rows, of which only the visible ones are in the page. Keys move through it as through a tree. */
import { h } from '../ui/dom';
import type { TreeRow } from './treeRows';

/** In pixels, as entryTree.css sets it. */
const ROW_HEIGHT = 24;
/** Rows that are drawn above and below the visible ones. */
const OVERSCAN = 12;

export class RowList {
  private readonly sizer = h('div', { class: 'tree-sizer', role: 'presentation' });
  readonly element: HTMLElement;
  private rows: readonly TreeRow[] = [];
  private at = 0;

  constructor(
    label: string,
    private readonly drawRow: (row: TreeRow, index: number) => HTMLElement,
    private readonly choose: (row: TreeRow) => void,
  ) {
    this.element = h('div', { class: 'tree-rows', role: 'tree', tabindex: 0, 'aria-label': label }, this.sizer);
    this.element.addEventListener('scroll', () => this.draw(), { passive: true });
    this.element.addEventListener('keydown', (event) => this.handleKey(event));
    this.element.addEventListener('click', ({ target }) => {
      const index = target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset['row'] : undefined;
      if (index === undefined) return;
      this.at = Number(index);
      this.chooseCurrent();
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** Shows rows, with the one of `index` as the current one, scrolled into view. */
  show(rows: readonly TreeRow[], index: number): void {
    this.rows = rows;
    this.sizer.style.height = `${rows.length * ROW_HEIGHT}px`;
    this.move(index);
  }

  /** Makes a row the current one, and scrolls it into view. */
  move(index: number): void {
    this.at = Math.max(0, Math.min(index, this.rows.length - 1));
    const { scrollTop, clientHeight } = this.element;
    const top = this.at * ROW_HEIGHT;
    if (top < scrollTop) this.element.scrollTop = top - ROW_HEIGHT;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.element.scrollTop = top - clientHeight / 2;
    this.draw();
  }

  /** Draws the rows in sight, and announces the current one to screen readers. */
  draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const from = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - OVERSCAN);
    const to = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + OVERSCAN);
    const drawn = this.rows.slice(from, to).map((row, offset) => this.place(row, from + offset));
    const current = this.rows[this.at];
    if (current && (this.at < from || this.at >= to)) drawn.push(this.place(current, this.at));
    this.sizer.replaceChildren(...drawn);
    if (current) this.element.setAttribute('aria-activedescendant', idOf(this.at));
    else this.element.removeAttribute('aria-activedescendant');
  }

  private place(row: TreeRow, index: number): HTMLElement {
    const element = this.drawRow(row, index);
    element.id = idOf(index);
    element.dataset['row'] = String(index);
    element.classList.toggle('is-at', index === this.at);
    element.style.transform = `translateY(${index * ROW_HEIGHT}px)`;
    return element;
  }

  private chooseCurrent(): void {
    const row = this.rows[this.at];
    if (row) this.choose(row);
    this.draw();
  }

  private handleKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') this.chooseCurrent();
    else {
      const to = this.target(event.key);
      if (to === undefined) return;
      this.move(to);
    }
    event.preventDefault();
  }

  private target(key: string): number | undefined {
    const { at, rows } = this;
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT) - 1);
    switch (key) {
      case 'ArrowDown':
        return at + 1;
      case 'ArrowUp':
        return at - 1;
      case 'PageDown':
        return at + page;
      case 'PageUp':
        return at - page;
      case 'Home':
        return 0;
      case 'End':
        return rows.length - 1;
      case 'ArrowLeft':
        return rows[at]?.parent ?? at;
      case 'ArrowRight':
        return rows[at + 1]?.parent === at ? at + 1 : at;
      default:
        return undefined;
    }
  }
}

const idOf = (index: number): string => `tree-row-${index}`;
