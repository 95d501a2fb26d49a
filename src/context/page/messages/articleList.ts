/**
 * The list of articles: only those near what is shown are in the page. It stays at the end if it was there,
 * and at an article after a reload, until somebody scrolls.
 */
import { Virtualizer, defaultRangeExtractor, elementScroll, measureElement, observeElementOffset, observeElementRect, type Range, type VirtualItem } from '@tanstack/virtual-core';
import type { ScrollAnchor } from '../../shared/protocol';
import { h, preserveFocus } from '../ui/dom';
import { RenderQueue } from './renderQueue';

export interface ListSource {
  readonly count: () => number;
  /** In pixels, before it is drawn. */
  readonly estimate: (index: number) => number;
  /** Whether there is something to draw. */
  readonly has: (index: number) => boolean;
  /** Prepares the drawing, until a time on the clock of `performance`. @returns whether nothing is left to prepare. */
  readonly prepare: (index: number, until: number) => boolean;
  readonly draw: (index: number) => HTMLElement;
  /** What stands there until there is time to draw. */
  readonly placeholder: (index: number) => HTMLElement;
  /** Called after each drawing with what is drawn; `to` is not included. */
  readonly onRange: (from: number, to: number) => void;
  readonly onScroll: () => void;
}

const END_TOLERANCE = 32;

export class ArticleList {
  private readonly rowContainer = h('div', { class: 'rows' });
  private readonly sizer = h('div', { class: 'sizer' }, this.rowContainer);
  private readonly rows = new Map<number, HTMLElement>();
  private virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  private stop: () => void = () => undefined;
  private pin: 'end' | ScrollAnchor | undefined = 'end';
  /** Where `hold` put the list last; any other place is somebody's wish. */
  private heldScrollTop = 0;
  private drawing = false;
  /** What is in sight was not drawn yet since the list began. */
  private isFirstDraw = true;
  /** Rows that are sketched only are owed. */
  private readonly renderQueue: RenderQueue;
  /** The rows' heights have just come from the browser, which is about to show them. */
  private isLaidOut = false;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly source: ListSource,
  ) {
    scroller.append(this.sizer);
    this.renderQueue = new RenderQueue({ prepare: (index, until) => source.prepare(index, until), draw: (index) => this.fill(this.rows.get(index)!, index) }, () => this.draw());
    this.virtualizer = this.createVirtualizer();
    // Before the virtualizer hears of it, so that it draws what was scrolled to and does not go back.
    scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
  }

  /** Begins anew; `anchor` is where to begin, by default the end. */
  reset(anchor?: ScrollAnchor): void {
    this.stop();
    this.rows.clear();
    this.renderQueue.clear();
    this.isFirstDraw = true;
    this.rowContainer.replaceChildren();
    this.pin = anchor ?? 'end';
    this.virtualizer = this.createVirtualizer();
    this.stop = this.virtualizer._didMount();
    this.virtualizer._willUpdate();
    this.draw();
  }

  /** The number of articles, or what some of them are, changed. */
  update(changed: readonly number[] = []): void {
    this.virtualizer.setOptions(this.options());
    this.virtualizer._willUpdate();
    for (const index of changed) if (this.rows.has(index)) this.renderQueue.schedule(index);
    this.draw();
  }

  /** Whether everything in sight is more than a sketch. */
  get isDrawn(): boolean {
    return this.scheduledItems().every((item) => this.distance(item) > 0);
  }

  get isAtEnd(): boolean {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight <= END_TOLERANCE;
  }

  get anchor(): ScrollAnchor | undefined {
    if (this.isAtEnd) return undefined;
    const top = this.scroller.scrollTop;
    const item = this.virtualizer.getVirtualItems().find(({ end }) => end > top);
    return item && { index: item.index, offset: top - item.start };
  }

  /** The article at the top edge. */
  get top(): number {
    const { scrollTop } = this.scroller;
    return this.virtualizer.getVirtualItems().find(({ end }) => end > scrollTop)?.index ?? 0;
  }

  toEnd(): void {
    this.pin = 'end';
    this.draw();
  }

  /** Puts an article there, until somebody scrolls. */
  show(anchor: ScrollAnchor): void {
    this.pin = anchor;
    // What was unfolded in it is not measured yet.
    const row = this.rows.get(anchor.index);
    if (row) this.virtualizer.resizeItem(anchor.index, row.offsetHeight);
    this.draw();
  }

  /** The row of an article, if it is drawn. */
  row(index: number): HTMLElement | undefined {
    const row = this.rows.get(index);
    // Whoever asks wants to see it.
    if (row && this.renderQueue.isScheduled(index)) {
      this.renderQueue.remove(index);
      this.fill(row, index);
      this.virtualizer.measureElement(row);
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

  /** What has the focus stays in the page, or the focus would be lost. */
  private withFocus(range: Range): number[] {
    const indices = defaultRangeExtractor(range);
    const focused = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
    const index = focused === undefined ? -1 : Number(focused);
    return index < 0 || index >= range.count || indices.includes(index) ? indices : [...indices, index].sort((a, b) => a - b);
  }

  private draw(): void {
    // Measuring a new row makes the virtualizer speak up at once.
    if (this.drawing) return;
    this.drawing = true;
    try {
      this.layOut();
      // Once a frame is laid out, it is to be shown.
      if (this.isLaidOut) this.renderQueue.requestFlush(true);
      else if (this.flush()) this.layOut();
    } finally {
      this.drawing = false;
      this.isLaidOut = false;
    }
    const items = this.virtualizer.getVirtualItems();
    if (items.length > 0) this.source.onRange(items[0]!.index, items.at(-1)!.index + 1);
  }

  /** Puts every row where it belongs, and the list where it is held. */
  private layOut(): void {
    this.positionRows();
    for (let again = 0; again < 3 && this.restoreScroll(); again++) this.positionRows();
  }

  private positionRows(): void {
    const items = this.virtualizer.getVirtualItems();
    const wanted = new Set(items.map(({ index }) => index));
    for (const [index, row] of this.rows) {
      if (wanted.has(index)) continue;
      row.remove();
      this.rows.delete(index);
      this.renderQueue.remove(index);
    }
    let before: HTMLElement | undefined;
    for (const { index, start } of items) {
      let row = this.rows.get(index);
      if (!row) {
        // A sketch is not measured: what counts is the first height of what is drawn.
        row = h('div', { class: 'row', 'data-index': index }, this.source.placeholder(index));
        this.rows.set(index, row);
        if (this.source.has(index)) this.renderQueue.schedule(index);
        if (before) before.after(row);
        else this.rowContainer.prepend(row);
      }
      row.style.transform = `translateY(${start}px)`;
      before = row;
    }
    this.sizer.style.height = `${this.virtualizer.getTotalSize()}px`;
  }

  private fill(row: HTMLElement, index: number): void {
    preserveFocus(row, () => row.replaceChildren(this.source.draw(index)), () => this.scroller);
  }

  /** Draws what was only sketched, what is in sight first. @returns whether something was. */
  private flush(): boolean {
    const drawn = this.renderQueue.flush(this.scheduledItems().map(({ index }) => index), this.isFirstDraw);
    if (drawn.length > 0 && this.isDrawn) this.isFirstDraw = false;
    // All are laid out at once.
    for (const index of drawn) this.virtualizer.measureElement(this.rows.get(index)!);
    return drawn.length > 0;
  }

  /** What is sketched only, the nearest first. */
  private scheduledItems(): VirtualItem[] {
    return this.virtualizer
      .getVirtualItems()
      .filter(({ index }) => this.renderQueue.isScheduled(index))
      .sort((a, b) => this.distance(a) - this.distance(b));
  }

  /** Pixels from what is in sight, as the virtualizer knows it: asking the page would make it lay out first. */
  private distance({ start, end }: VirtualItem): number {
    const top = this.virtualizer.scrollOffset ?? 0;
    return Math.max(top - end, start - top - (this.virtualizer.scrollRect?.height ?? 0), 0);
  }

  /** Keeps the place that is held. @returns whether something moved. */
  private restoreScroll(): boolean {
    const { pin, scroller } = this;
    if (pin === undefined) return false;
    const start = pin === 'end' ? undefined : this.virtualizer.getOffsetForIndex(pin.index, 'start')?.[0];
    const top = pin === 'end' || start === undefined ? scroller.scrollHeight - scroller.clientHeight : start + pin.offset;
    const before = scroller.scrollTop;
    if (Math.abs(before - top) >= 1) scroller.scrollTop = top;
    this.heldScrollTop = scroller.scrollTop;
    return this.heldScrollTop !== before;
  }

  private scrolled(): void {
    this.source.onScroll();
    if (Math.abs(this.scroller.scrollTop - this.heldScrollTop) < 2) return;
    this.pin = this.isAtEnd ? 'end' : undefined;
  }
}
