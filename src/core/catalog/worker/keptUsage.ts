/** The packed usage, kept until the database changes: lists ask for it twice after each change, and the Usage page when it's opened. */
import type { CatalogReader } from '../database/catalogReader';
import { packUsage, type PackedUsage } from '../encoding/packedUsage';
import { localDayOf, utcDayOf, type DayOf } from '../rows/localDays';

export class KeptUsage {
  /** The days of the last time zone: finding them takes longer than all else. */
  private zone: { readonly timeZone: string; readonly dayOf: DayOf } | undefined;
  private last: { readonly version: string; readonly timeZone: string | undefined; readonly packed: PackedUsage } | undefined;

  constructor(private readonly reader: Pick<CatalogReader, 'version' | 'answers'>) {}

  /** Returns the usage by the days of a time zone, by default UTC. */
  packed(timeZone: string | undefined): PackedUsage {
    // Asked first: another window may change the database while it's read.
    const version = this.reader.version();
    if (this.last?.version !== version || this.last.timeZone !== timeZone) {
      this.last = undefined;
      this.last = { version, timeZone, packed: packUsage(() => this.reader.answers(), this.dayOf(timeZone)) };
    }
    return this.last.packed;
  }

  private dayOf(timeZone: string | undefined): DayOf {
    if (timeZone === undefined) return utcDayOf;
    if (this.zone?.timeZone !== timeZone) this.zone = { timeZone, dayOf: localDayOf(timeZone) };
    return this.zone.dayOf;
  }
}
