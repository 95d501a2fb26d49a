/** Finds the copies among a catalog's files, so that its answers contain each session once. */
import { defined } from '../../format/entry/defined';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { headsOf } from '../../format/linking/headsById';
import { rootOf, type Root } from '../../files/locate/roots';
import { usageFacts } from '../index/sessionFacts';
import type { CatalogRow, KnownFile } from '../rows/catalogRow';
import type { DayOf } from '../rows/localDays';
import type { SessionUsage } from '../rows/usageBy';
import type { SessionCopies } from './sessionCopies';
import { appendAll } from '../../format/entry/lists';

export class CatalogCopies {
  private readonly ownUsages = new Map<string, OwnUsage>();
  private readonly machines: boolean;

  constructor(
    private readonly known: ReadonlyMap<string, KnownFile>,
    private readonly roots: readonly Root[],
    private readonly copies: SessionCopies,
  ) {
    this.machines = roots.some(({ machine }) => machine !== undefined);
  }

  /** Compares the changed files, and returns the resulting copies. */
  async current(): Promise<KnownCopies> {
    for (const path of this.ownUsages.keys()) if (!this.known.has(path)) this.ownUsages.delete(path);
    if (this.machines) await this.copies.update();
    return new KnownCopies(this.known, this.roots, this.machines || this.copies.hasDiverged ? this.copies : undefined, this.ownUsages);
  }
}

/** The usage that a file which has diverged doesn't share, as of these versions of both files, by the days of one zone. */
interface OwnUsage {
  readonly dayOf: DayOf;
  readonly file: KnownFile;
  readonly owner: KnownFile | undefined;
  readonly usage: readonly SessionUsage[];
}

/** The fields of nearly all rows, in one object for all of them: a list has thousands of rows. */
const NO_COPIES = {};

/** A snapshot of the copies at the start of a query. */
class KnownCopies {
  /** The copies whose lines another file has. */
  readonly redundant: ReadonlySet<string>;
  /** The files that have diverged, and the longest file of their session. */
  private readonly diverged: ReadonlyMap<string, string>;
  private readonly copiesOf = new Map<string, { path: string; machine?: string }[]>();

  constructor(
    private readonly known: ReadonlyMap<string, KnownFile>,
    roots: readonly Root[],
    copies: SessionCopies | undefined,
    private readonly ownUsages: Map<string, OwnUsage>,
  ) {
    const all = copies?.all() ?? [];
    this.redundant = new Set(all.flatMap(([path, { hasDiverged }]) => (hasDiverged ? [] : [path])));
    this.diverged = new Map(all.flatMap(([path, owner]) => (owner.hasDiverged ? [[path, owner.path]] : [])));
    for (const [path, owner] of all) {
      if (owner.hasDiverged) continue;
      const machine = rootOf(path, roots)?.machine;
      const copy = machine === undefined ? { path } : { path, machine };
      this.copiesOf.set(owner.path, [...(this.copiesOf.get(owner.path) ?? []), copy]);
    }
  }

  /** Returns the fields of a row about copies. */
  rowFields(path: string): Pick<CatalogRow, 'copies' | 'divergedFrom'> {
    const [copies, divergedFrom] = [this.copiesOf.get(path), this.diverged.get(path)];
    return copies || divergedFrom !== undefined ? defined({ copies, divergedFrom }) : NO_COPIES;
  }

  /**
   * Keeps the first of equal results in files of one session: files that have diverged share lines. @param keyOf identifies
   * something within a session
   */
  withoutRepeats<T extends { readonly path: string }>(found: readonly T[], keyOf: (one: T) => string): T[] {
    if (this.diverged.size === 0) return [...found];
    const seen = new Set<string>();
    return found.filter((one) => {
      const key = `${this.known.get(one.path)?.row.summary.id ?? one.path} ${keyOf(one)}`;
      const isFirst = !seen.has(key);
      seen.add(key);
      return isFirst;
    });
  }

  /** Returns the files that share entries with another file, and that file, by path. @param forks the parents of forks that count so, too */
  owners(forks: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    return new Map([...forks, ...this.diverged]);
  }

  /**
   * Returns the usage of the entries that only these files have. Reads only files that changed since the last call. A file
   * that can no longer be read has no usage; if its owner can't be read, all its entries count.
   *
   * @param owners as `owners` returns them
   */
  async ownUsage(
    owners: ReadonlyMap<string, string>,
    read: (path: string) => Promise<Session>,
    dayOf: DayOf,
  ): Promise<readonly SessionUsage[]> {
    const own: SessionUsage[] = [];
    for (const [path, ownerPath] of owners) {
      if (this.redundant.has(path)) continue;
      const file = this.known.get(path);
      if (!file) continue;
      const owner = this.known.get(ownerPath);
      let last = this.ownUsages.get(path);
      if (last?.file !== file || last.owner !== owner || last.dayOf !== dayOf) {
        const [session, other] = [await readable(read(path)), await readable(read(ownerPath))];
        last = { dayOf, file, owner, usage: session ? ownUsageOf(path, session, other, dayOf) : [] };
        if (session && other) this.ownUsages.set(path, last);
      }
      appendAll(own, last.usage);
    }
    return own;
  }
}

/** Resolves to `undefined` for a session that can't be read. */
const readable = (reading: Promise<Session>): Promise<Session | undefined> =>
  reading.catch((error: unknown) => {
    if (!(error instanceof SessionError)) throw error;
    return undefined;
  });

/** @param owner without it, all entries are the session's own */
function ownUsageOf(path: string, session: Session, owner: Session | undefined, dayOf: DayOf): SessionUsage[] {
  const heads = headsOf(session);
  const isLeftOut = (place: number): boolean => owner?.byId.get(heads.at(place).id)?.timestamp === heads.at(place).timestamp;
  return usageFacts(session, { isLeftOut, dayOf }).map((fact) => ({ path, ...fact }));
}
