/** Notices rows that the editor has lost: it still shows them, but no longer knows them, and ignores changes reported for them. */
import type { RowRegistry, ViewRow } from './viewRows';

/** Milliseconds after which a reported row counts as lost if the editor hasn't requested its item. */
const LOST_AFTER = 1500;

export class LostRows {
  /** When a row was reported, until the editor requests its item. */
  private readonly reportTimes = new WeakMap<ViewRow, number>();

  constructor(private readonly registry: Pick<RowRegistry, 'parentOf' | 'isInSight'>) {}

  /** To be called when the editor requests a row's item. */
  requested(row: ViewRow): void {
    this.reportTimes.delete(row);
  }

  /**
   * Returns the row to report so that the editor refreshes this one: itself, or if it's lost, the nearest row above that isn't.
   *
   * @param now in milliseconds, as `performance.now` counts
   * @returns `undefined` for the top level
   */
  rowToReport(row: ViewRow, now: number): ViewRow | undefined {
    let found: ViewRow | undefined = row;
    while (found && this.isLost(found, now)) {
      // If it isn't requested now either, it counts as lost again later.
      this.reportTimes.set(found, now);
      found = this.registry.parentOf(found);
    }
    if (found && !this.reportTimes.has(found)) this.reportTimes.set(found, now);
    return found;
  }

  private isLost(row: ViewRow, now: number): boolean {
    const reported = this.reportTimes.get(row);
    // The editor may have dropped rows below a collapsed row, and requests them again when that row is expanded.
    return reported !== undefined && now - reported >= LOST_AFTER && this.registry.isInSight(row);
  }
}
