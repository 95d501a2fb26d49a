/** The rows of a list that are in the DOM. A row shows a placeholder until its article is drawn. */
import { valueOf } from '../../../core/format/values/lookups';
import { h, preserveFocus } from '../ui/dom';
import { makeActions } from './entryActions';
import type { ListSource } from './listSource';
import type { RenderQueue } from './renderQueue';

/** The index of a row, and the position of its upper edge in pixels. */
interface RowPosition {
  readonly index: number;
  readonly start: number;
}

export class ListRows {
  private readonly container = h('div', { class: 'rows' });
  private readonly sizer = h('div', { class: 'sizer' }, this.container);
  private readonly rows = new Map<number, HTMLElement>();

  constructor(
    private readonly scroller: HTMLElement,
    private readonly source: ListSource,
  ) {
    scroller.append(this.sizer);
  }

  /** `undefined` if the row isn't in the DOM. */
  get(index: number): HTMLElement | undefined {
    return this.rows.get(index);
  }

  clear(): void {
    this.rows.clear();
    this.container.replaceChildren();
  }

  /** Sets the height of the whole list in pixels. */
  setHeight(height: number): void {
    this.sizer.style.height = `${height}px`;
  }

  /** Adds missing rows, removes all others than these, and moves each to its place. Schedules the drawing of new rows. */
  place(positions: readonly RowPosition[], queue: RenderQueue): void {
    const wanted = new Set(positions.map(({ index }) => index));
    for (const [index, row] of this.rows) {
      if (wanted.has(index)) continue;
      row.remove();
      this.rows.delete(index);
      queue.remove(index);
    }
    let before: HTMLElement | undefined;
    for (const { index, start } of positions) {
      let row = this.rows.get(index);
      if (!row) {
        // A placeholder isn't measured; the first measured height is the height of the drawn article.
        row = h('div', { class: 'row', 'data-index': index }, this.source.placeholder(index));
        this.rows.set(index, row);
        if (this.source.has(index)) queue.schedule(index);
        if (before) before.after(row);
        else this.container.prepend(row);
      }
      row.style.transform = `translateY(${start}px)`;
      before = row;
    }
  }

  /** Draws the article of a row that is in the DOM, and returns the row. */
  draw(index: number): HTMLElement {
    const row = valueOf(this.rows, index);
    preserveFocus(
      row,
      () => {
        const hadFocus = row.contains(document.activeElement);
        row.replaceChildren(this.source.draw(index));
        // The focus may return to one of the buttons.
        if (hadFocus) makeActions(row);
      },
      () => this.scroller,
    );
    return row;
  }
}
