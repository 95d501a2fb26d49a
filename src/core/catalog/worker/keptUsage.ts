/** The packed usage, kept until the database changes: lists ask for it twice after each change, and the Usage page when it's opened. */
import type { CatalogReader } from '../database/catalogReader';
import { packUsage, type PackedUsage } from '../encoding/packedUsage';
import { DAY_MS, localDayOf, utcDayOf, type DayOf } from '../rows/localDays';
import type { UsageRequest } from './protocol/workerProtocol';

/** One day for the time zone, and one for clocks of programs and disks that differ. */
const MARGIN_MS = 2 * DAY_MS;

export class KeptUsage {
  /** The days of the last time zone: finding them takes longer than all else. */
  private zone: { readonly timeZone: string; readonly dayOf: DayOf } | undefined;
  private last:
    | { readonly version: string; readonly timeZone: string | undefined; readonly from: number; readonly packed: PackedUsage }
    | undefined;

  constructor(private readonly reader: Pick<CatalogReader, 'version' | 'answers'>) {}

  /** Sessions that ended before `since` aren't read: all sessions with an answer of a day end on it or later, forks and copies, too. */
  packed({ timeZone, since }: UsageRequest): PackedUsage {
    const from = since === undefined ? -Infinity : since - MARGIN_MS;
    // Asked first: another window may change the database while it's read.
    const version = this.reader.version();
    if (this.last?.version !== version || this.last.timeZone !== timeZone || this.last.from > from) {
      this.last = undefined;
      this.last = { version, timeZone, from, packed: packUsage((sessions) => this.reader.answers(from, sessions), this.dayOf(timeZone)) };
    }
    return this.last.packed;
  }

  private dayOf(timeZone: string | undefined): DayOf {
    if (timeZone === undefined) return utcDayOf;
    if (this.zone?.timeZone !== timeZone) this.zone = { timeZone, dayOf: localDayOf(timeZone) };
    return this.zone.dayOf;
  }
}
