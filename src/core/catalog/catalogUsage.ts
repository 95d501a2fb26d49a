/** The usage of a catalog's sessions. Each answer counts once, however many sessions have it. */
import { Yielder } from '../files/concurrency/eventLoop';
import { stepCounter, type Steps } from '../format/session/steps';
import { valueOf } from '../format/entry/lookups';
import type { CatalogCopies } from './copies/catalogCopies';
import { unpackUsage, type PackedUsage } from './encoding/packedUsage';
import { localDayOf, utcDayOf } from './rows/localDays';
import { countEach, countFamilies, countOnce, usageOfSessions, type CountedFor } from './rows/sharedUsage';
import { familyFinder } from './store/families';
import { shownSummary, type ListedSession } from './store/listedSession';
import { parentFinder } from './store/sessionParents';
import { usageBy, type UsageFilter, type UsageKey, type UsageSum } from './rows/usageBy';

/** Additional endings of a session's path: none, and those of archives. */
const ENDINGS = ['', '.gz', '.zst'] as const;

/** The parts of an open catalog that its usage is made of. */
interface UsageParts {
  readonly known: ReadonlyMap<string, ListedSession>;
  readonly copies: CatalogCopies;
  /** Requests the usage that the database has, by the days of a time zone. */
  readonly stored: (timeZone: string | undefined) => Promise<PackedUsage>;
}

export class CatalogUsage {
  constructor(private readonly parts: UsageParts) {}

  /** Adds up the usage. @throws {SessionError} `invalid` if there's no such time zone; the signal's reason if aborted */
  async by(key: UsageKey, filter: UsageFilter, signal: AbortSignal | undefined): Promise<UsageSum[]> {
    const { timeZone } = filter;
    const dayOf = timeZone === undefined ? utcDayOf : localDayOf(timeZone);
    const [packed, { redundant }] = await Promise.all([this.parts.stored(timeZone), this.parts.copies.current()]);
    const turn = new Yielder(signal);
    // A copy: files may go between two turns.
    const known = new Map<string, ListedSession>();
    for (const file of this.parts.known.values()) {
      if (!redundant.has(file.path)) known.set(file.path, file);
      if (turn.isDue()) await turn.yieldIfDue();
    }
    // The database may have the files of other windows' roots.
    const shared = await turn.run(unpackUsage(packed, (path) => known.get(path)?.path));
    const counted = await turn.run(
      usageOfSessions(shared, await turn.run(countedFor(key, filter, known)), (path) => ENDINGS.some((ending) => known.has(path + ending))),
    );
    return turn.run(usageBy(key, counted, (path) => shownSummary(valueOf(known, path)), filter, dayOf));
  }
}

function* countedFor(key: UsageKey, { ownForks }: UsageFilter, known: ReadonlyMap<string, ListedSession>): Steps<CountedFor> {
  const fileAt = (path: string): ListedSession => valueOf(known, path);
  if (key !== 'family') return ownForks === false ? countEach : countOnce((path) => fileAt(path).row.summary.created);
  const sessions = [...known.values()].filter((file) => file.kind === 'session');
  const family = familyFinder((path) => known.get(path), yield* parentFinder(sessions, stepCounter()));
  return countFamilies((path) => family(fileAt(path))?.parent);
}
