/** The scroll position that a list keeps while articles are drawn and measured, until the user scrolls. */
import type { ScrollAnchor } from '../../shared/protocol';

/** Distance in pixels from the end that counts as the end. */
const END_TOLERANCE = 32;

export class ScrollHold {
  private pin: 'end' | ScrollAnchor | undefined = 'end';
  /** The scroll position set by `restore`; another position means that the user scrolled. */
  private heldScrollTop = 0;

  /** @param startOf returns the position of an article's upper edge in pixels, if the article exists. */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly startOf: (index: number) => number | undefined,
  ) {}

  get isAtEnd(): boolean {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight <= END_TOLERANCE;
  }

  /** Holds a position from the next `restore` on. */
  set(pin: 'end' | ScrollAnchor): void {
    this.pin = pin;
  }

  /**
   * Scrolls to the held position.
   * @returns true if the position changed.
   */
  restore(): boolean {
    const { pin, scroller } = this;
    if (pin === undefined) return false;
    const start = pin === 'end' ? undefined : this.startOf(pin.index);
    const top = pin === 'end' || start === undefined ? scroller.scrollHeight - scroller.clientHeight : start + pin.offset;
    const before = scroller.scrollTop;
    if (Math.abs(before - top) >= 1) scroller.scrollTop = top;
    this.heldScrollTop = scroller.scrollTop;
    return this.heldScrollTop !== before;
  }

  /** Handles a scroll event. If the user scrolled, the position is released, or held at the end if it's there. */
  scrolled(): void {
    if (Math.abs(this.scroller.scrollTop - this.heldScrollTop) < 2) return;
    this.pin = this.isAtEnd ? 'end' : undefined;
  }
}
