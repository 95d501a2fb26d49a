/** The usage of a catalog's sessions, each counted once: copies and what forks share are left out. */
import { Yielder } from '../files/concurrency/eventLoop';
import type { Session } from '../format/session/session';
import { valueOf } from '../format/entry/lookups';
import type { CatalogCopies } from './copies/catalogCopies';
import { forkParents } from './copies/forkParents';
import { utcDayOf } from './rows/localDays';
import { LocalUsage } from './index/localUsage';
import { unpackUsage, type PackedUsage } from './rows/packedUsage';
import { shownSummary, type ListedSession } from './store/listedSession';
import { usageBy, type UsageFilter, type UsageKey, type UsageSum } from './rows/usageBy';

/** The parts of an open catalog that its usage is made of. */
interface UsageParts {
  readonly known: ReadonlyMap<string, ListedSession>;
  readonly copies: CatalogCopies;
  /** Requests the usage that the database has. */
  readonly stored: () => Promise<PackedUsage>;
  readonly session: (path: string) => Promise<Session>;
}

export class CatalogUsage {
  /** The usage in the time zone that was asked for last. */
  private local: LocalUsage | undefined;

  constructor(private readonly parts: UsageParts) {}

  /** Adds up the usage. @throws {SessionError} `invalid` if there's no such time zone; the signal's reason if aborted */
  async by(key: UsageKey, filter: UsageFilter, signal: AbortSignal | undefined): Promise<UsageSum[]> {
    const { session: read } = this.parts;
    const local = this.localUsageIn(filter.timeZone);
    const dayOf = local?.dayOf ?? utcDayOf;
    const [packed, copies] = await Promise.all([this.parts.stored(), this.parts.copies.current()]);
    const turn = new Yielder(signal);
    // A copy: files may go between two turns.
    const known = new Map<string, ListedSession>();
    for (const file of this.parts.known.values()) {
      known.set(file.path, file);
      if (turn.isDue()) await turn.yieldIfDue();
    }
    const owners = copies.owners(filter.ownForks === true ? await turn.run(forkParents(known.values())) : new Map());
    const isCounted = (path: string): boolean => !copies.redundant.has(path) && !owners.has(path);
    // The database may have the files of other windows' roots.
    const whole = await turn.run(unpackUsage(packed, (path) => (isCounted(path) ? known.get(path) : undefined)));
    const fileOf = (path: string): ListedSession => valueOf(known, path);
    const needsDays = key === 'day' || filter.since !== undefined || filter.until !== undefined;
    const counted = [
      ...(local && needsDays ? await local.convert(whole, fileOf, read) : whole),
      ...(await copies.ownUsage(owners, read, dayOf)),
    ];
    return turn.run(usageBy(key, counted, (path) => shownSummary(fileOf(path)), filter, dayOf));
  }

  private localUsageIn(timeZone: string | undefined): LocalUsage | undefined {
    if (timeZone === undefined) return undefined;
    if (this.local?.timeZone !== timeZone) this.local = new LocalUsage(timeZone);
    return this.local;
  }
}
