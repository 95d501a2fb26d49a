/**
 * Draws in short tasks: scheduled items are drawn in tasks of a few milliseconds each, so that input and frames are
 * handled in between.
 */

interface Renderer {
  /**
   * Prepares the drawing.
   * @param until when to stop, on the clock of `performance`.
   * @returns true if the item is ready to be drawn.
   */
  readonly prepare: (index: number, until: number) => boolean;
  readonly draw: (index: number) => void;
}

/** Milliseconds of drawing in one task; the layout takes about as long. */
const BUDGET = 8;

export class RenderQueue {
  private readonly scheduled = new Set<number>();
  /** Items whose preparation took more than one task. */
  private readonly long = new Set<number>();
  private isWaiting = false;

  /** @param onTurn called when there is time to draw; calls `flush`. */
  constructor(
    private readonly renderer: Renderer,
    private readonly onTurn: () => void,
  ) {}

  schedule(index: number): void {
    this.scheduled.add(index);
  }

  isScheduled(index: number): boolean {
    return this.scheduled.has(index);
  }

  /** Removes an item that is drawn or no longer needed. */
  remove(index: number): void {
    this.scheduled.delete(index);
    this.long.delete(index);
  }

  clear(): void {
    this.scheduled.clear();
    this.long.clear();
  }

  /**
   * Draws scheduled items within the time budget, in the order of `indices`.
   * @param isFirst true if nothing is on the screen yet: the next task doesn't wait for a frame then.
   * @returns the indices of the drawn items.
   */
  flush(indices: readonly number[], isFirst = false): number[] {
    const until = performance.now() + BUDGET;
    const drawn: number[] = [];
    for (const index of indices) {
      if (performance.now() >= until) break;
      if (!this.renderer.prepare(index, until)) {
        this.long.add(index);
        break;
      }
      const isLong = this.long.has(index);
      this.remove(index);
      this.renderer.draw(index);
      drawn.push(index);
      // An item that takes long to prepare also takes long to lay out.
      if (isLong) break;
    }
    this.requestFlush(drawn.length > 0 && !isFirst);
    return drawn;
  }

  /**
   * Requests another task if items are scheduled.
   * @param afterFrame waits for the next frame, because the layout of the drawn items also takes time.
   */
  requestFlush(afterFrame: boolean): void {
    if (this.isWaiting || this.scheduled.size === 0) return;
    this.isWaiting = true;
    const go = (): void => {
      this.isWaiting = false;
      this.onTurn();
    };
    const soon = (): void => void scheduler.postTask(go, { priority: 'user-visible' });
    if (afterFrame) requestAnimationFrame(soon);
    else soon();
  }
}
