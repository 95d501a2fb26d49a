/**
 * Drawing in turns: what is not drawn yet is owed, and paid in tasks of their own that take a few milliseconds each, so
 * that keys, clicks and frames come between them.
 */

export interface Renderer {
  /** Prepares a drawing, until a time on the clock of `performance`. @returns whether nothing is left to prepare. */
  readonly prepare: (index: number, until: number) => boolean;
  readonly draw: (index: number) => void;
}

/** Milliseconds that drawing may take at a time; laying out what was drawn takes about as long. */
const BUDGET = 8;
/** The same where nothing is on the screen yet, and somebody waits for it. */
const FIRST_BUDGET = 24;

export class RenderQueue {
  private readonly scheduled = new Set<number>();
  /** What took more than one turn to prepare. */
  private readonly long = new Set<number>();
  private isWaiting = false;

  /** @param onTurn is called when there is time again; it asks for `pay`. */
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

  /** It is drawn, or not wanted any more. */
  remove(index: number): void {
    this.scheduled.delete(index);
    this.long.delete(index);
  }

  clear(): void {
    this.scheduled.clear();
    this.long.clear();
  }

  /** Draws of what is owed as much as there is time for, in the order of `indices`; `isFirst`: nothing is on the screen yet. @returns what was drawn. */
  flush(indices: readonly number[], isFirst = false): number[] {
    const until = performance.now() + (isFirst ? FIRST_BUDGET : BUDGET);
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
      // What takes long to make takes long to lay out, too.
      if (isLong) break;
    }
    this.requestFlush(drawn.length > 0);
    return drawn;
  }

  /** Takes another turn if something is owed; `afterFrame`: once what was drawn is shown, since laying it out is work enough. */
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
