/**
 * Drawing in turns: what is not drawn yet is owed, and paid in tasks of their own that take a few milliseconds each, so
 * that keys, clicks and frames come between them.
 */

export interface Work {
  /** Prepares a drawing, until a time on the clock of `performance`. @returns whether nothing is left to prepare. */
  readonly ready: (index: number, until: number) => boolean;
  readonly draw: (index: number) => void;
}

/** Milliseconds that drawing may take at a time; laying out what was drawn takes about as long. */
const BUDGET = 8;
/** The same where nothing is on the screen yet, and somebody waits for it. */
const FIRST_BUDGET = 24;

export class DrawTurns {
  private readonly owed = new Set<number>();
  /** What took more than one turn to prepare. */
  private readonly long = new Set<number>();
  private isWaiting = false;

  /** @param turn is called when there is time again; it asks for `pay`. */
  constructor(
    private readonly work: Work,
    private readonly turn: () => void,
  ) {}

  owe(index: number): void {
    this.owed.add(index);
  }

  owes(index: number): boolean {
    return this.owed.has(index);
  }

  /** It is drawn, or not wanted any more. */
  settle(index: number): void {
    this.owed.delete(index);
    this.long.delete(index);
  }

  clear(): void {
    this.owed.clear();
    this.long.clear();
  }

  /** Draws of what is owed as much as there is time for, in the order of `indices`; `isFirst`: nothing is on the screen yet. @returns what was drawn. */
  pay(indices: readonly number[], isFirst = false): number[] {
    const until = performance.now() + (isFirst ? FIRST_BUDGET : BUDGET);
    const drawn: number[] = [];
    for (const index of indices) {
      if (performance.now() >= until) break;
      if (!this.work.ready(index, until)) {
        this.long.add(index);
        break;
      }
      const isLong = this.long.has(index);
      this.settle(index);
      this.work.draw(index);
      drawn.push(index);
      // What takes long to make takes long to lay out, too.
      if (isLong) break;
    }
    this.later(drawn.length > 0);
    return drawn;
  }

  /** Takes another turn if something is owed; `afterFrame`: once what was drawn is shown, since laying it out is work enough. */
  later(afterFrame: boolean): void {
    if (this.isWaiting || this.owed.size === 0) return;
    this.isWaiting = true;
    const go = (): void => {
      this.isWaiting = false;
      this.turn();
    };
    const soon = (): void => void scheduler.postTask(go, { priority: 'user-visible' });
    if (afterFrame) requestAnimationFrame(soon);
    else soon();
  }
}
