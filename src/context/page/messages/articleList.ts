/**
 * Virtual list of articles: only articles near the visible range are in the DOM. Stays at the end if it was there, and
 * at an article after a reload, until the user scrolls.
 */
import {
  Virtualizer,
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  type Range,
  type VirtualItem,
} from '@tanstack/virtual-core';
import { lastOf } from '../../../core/format/values/lookups';
import type { ScrollAnchor } from '../../shared/protocol';
import type { Range as IndexRange } from './articleStore';
import { ListRows } from './listRows';
import type { ListSource } from './listSource';
import { RenderQueue } from './renderQueue';
import { ScrollHold } from './scrollHold';

export class ArticleList {
  private readonly rows: ListRows;
  private virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  private stop: () => void = () => undefined;
  private readonly hold: ScrollHold;
  private drawing = false;
  /** True until the visible range is drawn for the first time. */
  private isFirstDraw = true;
  /** Rows that show a placeholder are scheduled. */
  private readonly renderQueue: RenderQueue;
  /** True while handling row heights that the browser has just measured for the current frame. */
  private isLaidOut = false;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly source: ListSource,
  ) {
    this.rows = new ListRows(scroller, source);
    this.renderQueue = new RenderQueue(
      { prepare: (index, until) => source.prepare(index, until), draw: (index) => this.rows.draw(index) },
      () => this.draw(),
    );
    // Rows are positioned before. `getOffsetForIndex` limits positions to the ones that the list can scroll to.
    this.hold = new ScrollHold(scroller, (index) => this.virtualizer.measurementsCache[index]?.start);
    this.virtualizer = this.createVirtualizer();
    // Registered before the virtualizer's own listener, so that the virtualizer draws the new position and doesn't
    // return to the old one.
    scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
  }

  /** Starts over at `anchor`, by default at the end. */
  reset(anchor?: ScrollAnchor): void {
    this.stop();
    this.rows.clear();
    this.renderQueue.clear();
    this.isFirstDraw = true;
    this.hold.set(anchor ?? 'end');
    this.virtualizer = this.createVirtualizer();
    this.stop = this.virtualizer._didMount();
    // Scrolls before anything is drawn or requested. The virtualizer would learn of the position only in the next frame.
    this.drawing = true;
    this.virtualizer._willUpdate();
    this.rows.setHeight(this.virtualizer.getTotalSize());
    if (this.hold.restore()) this.virtualizer.scrollOffset = this.scroller.scrollTop;
    this.drawing = false;
    // In a separate task: this task has built the page, or removed another session.
    this.draw(true);
  }

  /** Handles a changed number of articles, or changed articles. */
  update(changed: readonly number[] = []): void {
    this.virtualizer.setOptions(this.options());
    this.virtualizer._willUpdate();
    for (const index of changed) if (this.rows.get(index)) this.renderQueue.schedule(index);
    this.draw();
  }

  /** True if no visible row is a placeholder. */
  get isDrawn(): boolean {
    return this.scheduledItems().every((item) => this.distance(item) > 0);
  }

  /** The visible rows; `undefined` if there are none. */
  get visible(): IndexRange | undefined {
    const visible = this.virtualizer.getVirtualItems().filter((item) => this.distance(item) === 0);
    const [first] = visible;
    return first && { from: first.index, to: lastOf(visible).index + 1 };
  }

  get isAtEnd(): boolean {
    return this.hold.isAtEnd;
  }

  get anchor(): ScrollAnchor | undefined {
    if (this.isAtEnd) return undefined;
    const top = this.scroller.scrollTop;
    const item = this.virtualizer.getVirtualItems().find(({ end }) => end > top);
    return item && { index: item.index, offset: top - item.start };
  }

  /** The index of the article at the top edge. */
  get top(): number {
    const { scrollTop } = this.scroller;
    return this.virtualizer.getVirtualItems().find(({ end }) => end > scrollTop)?.index ?? 0;
  }

  toEnd(): void {
    this.hold.set('end');
    this.draw();
  }

  /** Scrolls to an article and keeps it in place until the user scrolls. */
  show(anchor: ScrollAnchor): void {
    this.hold.set(anchor);
    // An opened fold isn't measured yet.
    const row = this.rows.get(anchor.index);
    if (row) this.virtualizer.resizeItem(anchor.index, row.offsetHeight);
    this.draw();
  }

  /** Returns the row of an article, if it is in the DOM. */
  row(index: number): HTMLElement | undefined {
    const row = this.rows.get(index);
    // The caller needs the article itself, so a scheduled row is drawn now.
    if (row && this.renderQueue.isScheduled(index)) {
      this.renderQueue.remove(index);
      this.virtualizer.measureElement(this.rows.draw(index));
    }
    return row;
  }

  private createVirtualizer(): Virtualizer<HTMLElement, HTMLElement> {
    return new Virtualizer(this.options());
  }

  private options(): ConstructorParameters<typeof Virtualizer<HTMLElement, HTMLElement>>[0] {
    return {
      count: this.source.count(),
      getScrollElement: () => this.scroller,
      estimateSize: this.source.estimate,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      measureElement: (row, entry, virtualizer) => {
        this.isLaidOut = entry !== undefined;
        return measureElement(row, entry, virtualizer);
      },
      overscan: 4,
      rangeExtractor: (range) => this.withFocus(range),
      onChange: () => this.draw(),
    };
  }

  /** Keeps the focused row in the DOM, so that the focus isn't lost. */
  private withFocus(range: Range): number[] {
    const indices = defaultRangeExtractor(range);
    const focused = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
    const index = focused === undefined ? -1 : Number(focused);
    return index < 0 || index >= range.count || indices.includes(index) ? indices : [...indices, index].sort((a, b) => a - b);
  }

  /** @param isLater true to draw scheduled rows in another task */
  private draw(isLater = this.isLaidOut): void {
    // Measuring a new row makes the virtualizer call back synchronously.
    if (this.drawing) return;
    this.drawing = true;
    try {
      this.layOut();
      // Draws more only after the frame that is already laid out.
      if (isLater) this.renderQueue.requestFlush(this.isLaidOut);
      else if (this.flush()) this.layOut();
    } finally {
      this.drawing = false;
      this.isLaidOut = false;
    }
    const range = this.virtualizer.calculateRange();
    if (range) this.source.onRange(range.startIndex, range.endIndex + 1);
  }

  /** Positions all rows and restores the scroll position. */
  private layOut(): void {
    this.positionRows();
    for (let again = 0; again < 3 && this.hold.restore(); again++) this.positionRows();
  }

  private positionRows(): void {
    this.rows.place(this.virtualizer.getVirtualItems(), this.renderQueue);
    this.rows.setHeight(this.virtualizer.getTotalSize());
  }

  /**
   * Draws scheduled rows, visible ones first.
   * @returns true if any was drawn.
   */
  private flush(): boolean {
    const drawn = this.renderQueue.flush(
      this.scheduledItems().map(({ index }) => index),
      this.isFirstDraw,
    );
    if (drawn.length > 0 && this.isDrawn) this.isFirstDraw = false;
    // Measures all rows together, so that they are laid out only once.
    for (const index of drawn) {
      const row = this.rows.get(index);
      if (row) this.virtualizer.measureElement(row);
    }
    return drawn.length > 0;
  }

  /** Returns the rows that show a placeholder, nearest first. */
  private scheduledItems(): VirtualItem[] {
    return this.virtualizer
      .getVirtualItems()
      .filter(({ index }) => this.renderQueue.isScheduled(index))
      .sort((a, b) => this.distance(a) - this.distance(b));
  }

  /**
   * Returns the distance from the visible range in pixels. Uses the virtualizer's values, because reading the DOM would
   * force a layout.
   */
  private distance({ start, end }: VirtualItem): number {
    const top = this.virtualizer.scrollOffset ?? 0;
    return Math.max(top - end, start - top - (this.virtualizer.scrollRect?.height ?? 0), 0);
  }

  private scrolled(): void {
    this.source.onScroll();
    this.hold.scrolled();
  }
}
