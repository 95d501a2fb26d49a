/** The usage of a catalog's sessions. Each answer counts once, however many sessions have it. */
import { Yielder } from '../files/concurrency/eventLoop';
import { STEP_LENGTH, stepCounter, type Steps } from '../format/session/steps';
import { defined } from '../format/values/defined';
import { valueOf } from '../format/values/lookups';
import type { CatalogCopies } from './copies/catalogCopies';
import type { WorktreeFinder } from '../files/git/worktreeFinder';
import { unpackUsage, type PackedUsage } from './encoding/packedUsage';
import { localDayOf, utcDayOf, type DayOf } from './rows/localDays';
import { countEach, countFamilies, countOnce, usageOfSessions, type CountedFor } from './rows/sharedUsage';
import { familyFinder, type FindFamily } from './store/families';
import { shownSummary, type ListedSession } from './store/listedSession';
import { parentFinder } from './store/sessionParents';
import { usageBy, type SessionUsage, type UsageFilter, type UsageKey, type UsageSum } from './rows/usageBy';
import { causeBit } from './rows/usageCauses';
import type { UsageFact } from './rows/usageReport';
import type { UsageRequest } from './worker/protocol/workerProtocol';

/** Additional endings of a session's path: none, and those of archives. */
const ENDINGS = ['', '.gz', '.zst'] as const;

type Known = ReadonlyMap<string, ListedSession>;

/** The parts of an open catalog that its usage is made of. */
interface UsageParts {
  readonly known: Known;
  readonly copies: CatalogCopies;
  /** Requests the usage that the database has. */
  readonly stored: (request: UsageRequest) => Promise<PackedUsage>;
  readonly worktreeOf: WorktreeFinder['of'];
  /** Looks for the worktrees of all folders, unless that was done a moment ago: the owner of the files may never have. */
  readonly checkWorktrees: () => Promise<unknown>;
}

export class CatalogUsage {
  constructor(private readonly parts: UsageParts) {}

  /** Adds up the usage. @throws {SessionError} `invalid` if there's no such time zone; the signal's reason if aborted */
  async by(key: UsageKey, filter: UsageFilter, signal: AbortSignal | undefined): Promise<UsageSum[]> {
    const dayOf = daysOf(filter);
    const turn = new Yielder(signal);
    const known = await this.countedFiles();
    const family = key === 'family' || key === 'cause' ? await turn.run(familyIn(known)) : undefined;
    const counted = await count(filter, await this.stored(filter), known, countedFor(key, filter, known, family), turn);
    const facts = key === 'cause' && family ? await turn.run(this.factsOf(counted, known, family)) : counted;
    return turn.run(usageBy(key, facts, (path) => shownSummary(valueOf(known, path)), filter, dayOf));
  }

  /** Returns the usage of each session, model and day. @throws as `by` */
  async facts(request: UsageRequest, signal: AbortSignal | undefined): Promise<UsageFact[]> {
    const turn = new Yielder(signal);
    const listed = async () => {
      await this.parts.checkWorktrees();
      const known = await this.countedFiles();
      return { known, family: await turn.run(familyIn(known)) };
    };
    // The thread of the database adds up meanwhile.
    const [packed, { known, family }] = await Promise.all([this.stored(request), listed()]);
    const counted = await count(request, packed, known, countedFor('session', {}, known, family), turn);
    return turn.run(this.factsOf(counted, known, family));
  }

  /** A copy of the known files without redundant copies: files may go between two turns. */
  private async countedFiles(): Promise<Known> {
    const { redundant } = await this.parts.copies.current();
    const known = new Map(this.parts.known);
    for (const path of redundant) known.delete(path);
    return known;
  }

  private stored({ timeZone, since }: UsageRequest): Promise<PackedUsage> {
    return this.parts.stored(defined({ timeZone, since }));
  }

  /** Adds the facts of their sessions to usages. */
  private *factsOf(usage: readonly SessionUsage[], known: Known, family: FindFamily): Steps<UsageFact[]> {
    const facts: UsageFact[] = [];
    const owners = new Map<string, Pick<UsageFact, 'project' | 'program' | 'family'> & { readonly causes: number }>();
    for (const [index, fact] of usage.entries()) {
      if (index % STEP_LENGTH === 0) yield;
      let owner = owners.get(fact.path);
      if (!owner) owners.set(fact.path, (owner = this.ownerFacts(fact.path, known, family)));
      facts.push({ ...fact, ...owner, causes: fact.causes | owner.causes });
    }
    return facts;
  }

  /** Worktrees belong to the project of their repository, as in lists. */
  private ownerFacts(path: string, known: Known, family: FindFamily) {
    const file = valueOf(known, path);
    const { cwd, dialect } = shownSummary(file);
    const place = family(file);
    let first = path;
    // `family` leads to no circle.
    for (let at = place; at?.parent !== undefined; at = family(valueOf(known, first))) first = at.parent;
    const project = this.parts.worktreeOf(cwd)?.repository ?? cwd;
    return { project, program: dialect, family: first, causes: place ? causeBit('subagent') : 0 };
  }
}

const daysOf = ({ timeZone }: UsageRequest): DayOf => (timeZone === undefined ? utcDayOf : localDayOf(timeZone));

async function count(request: UsageRequest, packed: PackedUsage, known: Known, counts: CountedFor, turn: Yielder): Promise<SessionUsage[]> {
  const firstDay = request.since === undefined ? undefined : daysOf(request)(request.since);
  // The database may have the files of other windows' roots.
  const shared = await turn.run(unpackUsage(packed, (path) => known.get(path)?.path, firstDay));
  return turn.run(usageOfSessions(shared, counts, (path) => ENDINGS.some((ending) => known.has(path + ending))));
}

function* familyIn(known: Known): Steps<FindFamily> {
  const sessions = [...known.values()].filter((file) => file.kind === 'session');
  return familyFinder((path) => known.get(path), yield* parentFinder(sessions, stepCounter()));
}

function countedFor(key: UsageKey, { ownForks }: UsageFilter, known: Known, family: FindFamily | undefined): CountedFor {
  const fileAt = (path: string): ListedSession => valueOf(known, path);
  if (key === 'family') return countFamilies((path) => family?.(fileAt(path))?.parent);
  return ownForks === false ? countEach : countOnce((path) => fileAt(path).row.summary.created);
}
