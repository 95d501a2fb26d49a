/**
 * The list of articles: only those near what is shown are in the page. It stays at the end if it was there,
 * and at an article after a reload, until somebody scrolls.
 */
import { Virtualizer, defaultRangeExtractor, elementScroll, measureElement, observeElementOffset, observeElementRect, type Range, type VirtualItem } from '@tanstack/virtual-core';
import type { Anchor } from '../protocol';
import { h, keepingFocus } from './dom';
import { DrawTurns } from './drawTurns';

export interface ListSource {
  readonly count: () => number;
  /** In pixels, before it is drawn. */
  readonly estimate: (index: number) => number;
  /** Whether there is something to draw. */
  readonly has: (index: number) => boolean;
  /** Prepares the drawing, until a time on the clock of `performance`. @returns whether nothing is left to prepare. */
  readonly ready: (index: number, until: number) => boolean;
  readonly draw: (index: number) => HTMLElement;
  /** What stands there until there is time to draw. */
  readonly sketch: (index: number) => HTMLElement;
  /** Called after each drawing with what is drawn; `to` is not included. */
  readonly onRange: (from: number, to: number) => void;
  readonly onScroll: () => void;
}

const AT_END = 32;

export class ArticleList {
  private readonly inner = h('div', { class: 'rows' });
  private readonly sizer = h('div', { class: 'sizer' }, this.inner);
  private readonly rows = new Map<number, HTMLElement>();
  private virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  private stop: () => void = () => undefined;
  private pin: 'end' | Anchor | undefined = 'end';
  /** Where `hold` put the list last; any other place is somebody's wish. */
  private held = 0;
  private drawing = false;
  /** What is in sight was not drawn yet since the list began. */
  private isNew = true;
  /** Rows that are sketched only are owed. */
  private readonly turns: DrawTurns;
  /** The rows' heights have just come from the browser, which is about to show them. */
  private isLaidOut = false;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly source: ListSource,
  ) {
    scroller.append(this.sizer);
    this.turns = new DrawTurns({ ready: (index, until) => source.ready(index, until), draw: (index) => this.fill(this.rows.get(index)!, index) }, () => this.draw());
    this.virtualizer = this.make();
    // Before the virtualizer hears of it, so that it draws what was scrolled to and does not go back.
    scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
  }

  /** Begins anew; `anchor` is where to begin, by default the end. */
  reset(anchor?: Anchor): void {
    this.stop();
    this.rows.clear();
    this.turns.clear();
    this.isNew = true;
    this.inner.replaceChildren();
    this.pin = anchor ?? 'end';
    this.virtualizer = this.make();
    this.stop = this.virtualizer._didMount();
    this.virtualizer._willUpdate();
    this.draw();
  }

  /** The number of articles, or what some of them are, changed. */
  update(changed: readonly number[] = []): void {
    this.virtualizer.setOptions(this.options());
    this.virtualizer._willUpdate();
    for (const index of changed) if (this.rows.has(index)) this.turns.owe(index);
    this.draw();
  }

  /** Whether everything in sight is more than a sketch. */
  get isDrawn(): boolean {
    return this.debts().every((item) => this.distance(item) > 0);
  }

  get isAtEnd(): boolean {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight <= AT_END;
  }

  get anchor(): Anchor | undefined {
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
  show(anchor: Anchor): void {
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
    if (row && this.turns.owes(index)) {
      this.turns.settle(index);
      this.fill(row, index);
      this.virtualizer.measureElement(row);
    }
    return row;
  }

  private make(): Virtualizer<HTMLElement, HTMLElement> {
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
      this.settle();
      // Once a frame is laid out, it is to be shown.
      if (this.isLaidOut) this.turns.later(true);
      else if (this.pay()) this.settle();
    } finally {
      this.drawing = false;
      this.isLaidOut = false;
    }
    const items = this.virtualizer.getVirtualItems();
    if (items.length > 0) this.source.onRange(items[0]!.index, items.at(-1)!.index + 1);
  }

  /** Puts every row where it belongs, and the list where it is held. */
  private settle(): void {
    this.place();
    for (let again = 0; again < 3 && this.hold(); again++) this.place();
  }

  private place(): void {
    const items = this.virtualizer.getVirtualItems();
    const wanted = new Set(items.map(({ index }) => index));
    for (const [index, row] of this.rows) {
      if (wanted.has(index)) continue;
      row.remove();
      this.rows.delete(index);
      this.turns.settle(index);
    }
    let before: HTMLElement | undefined;
    for (const { index, start } of items) {
      let row = this.rows.get(index);
      if (!row) {
        // A sketch is not measured: what counts is the first height of what is drawn.
        row = h('div', { class: 'row', 'data-index': index }, this.source.sketch(index));
        this.rows.set(index, row);
        if (this.source.has(index)) this.turns.owe(index);
        if (before) before.after(row);
        else this.inner.prepend(row);
      }
      row.style.transform = `translateY(${start}px)`;
      before = row;
    }
    this.sizer.style.height = `${this.virtualizer.getTotalSize()}px`;
  }

  private fill(row: HTMLElement, index: number): void {
    keepingFocus(row, () => row.replaceChildren(this.source.draw(index)), () => this.scroller);
  }

  /** Draws what was only sketched, what is in sight first. @returns whether something was. */
  private pay(): boolean {
    const drawn = this.turns.pay(this.debts().map(({ index }) => index), this.isNew);
    if (drawn.length > 0 && this.isDrawn) this.isNew = false;
    // All are laid out at once.
    for (const index of drawn) this.virtualizer.measureElement(this.rows.get(index)!);
    return drawn.length > 0;
  }

  /** What is sketched only, the nearest first. */
  private debts(): VirtualItem[] {
    return this.virtualizer
      .getVirtualItems()
      .filter(({ index }) => this.turns.owes(index))
      .sort((a, b) => this.distance(a) - this.distance(b));
  }

  /** Pixels from what is in sight, as the virtualizer knows it: asking the page would make it lay out first. */
  private distance({ start, end }: VirtualItem): number {
    const top = this.virtualizer.scrollOffset ?? 0;
    return Math.max(top - end, start - top - (this.virtualizer.scrollRect?.height ?? 0), 0);
  }

  /** Keeps the place that is held. @returns whether something moved. */
  private hold(): boolean {
    const { pin, scroller } = this;
    if (pin === undefined) return false;
    const start = pin === 'end' ? undefined : this.virtualizer.getOffsetForIndex(pin.index, 'start')?.[0];
    const top = pin === 'end' || start === undefined ? scroller.scrollHeight - scroller.clientHeight : start + pin.offset;
    const before = scroller.scrollTop;
    if (Math.abs(before - top) >= 1) scroller.scrollTop = top;
    this.held = scroller.scrollTop;
    return this.held !== before;
  }

  private scrolled(): void {
    this.source.onScroll();
    if (Math.abs(this.scroller.scrollTop - this.held) < 2) return;
    this.pin = this.isAtEnd ? 'end' : undefined;
  }
}
