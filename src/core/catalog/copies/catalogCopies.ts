/** Finds the copies among a catalog's files, so that its answers contain each session once. */
import { defined } from '../../format/values/defined';
import { rootOf, type Root } from '../../files/locate/roots';
import type { CatalogRow, KnownFile } from '../rows/catalogRow';
import type { SessionCopies } from './sessionCopies';

export class CatalogCopies {
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
    if (this.machines) await this.copies.update();
    return new KnownCopies(this.known, this.roots, this.machines || this.copies.hasDiverged ? this.copies : undefined);
  }
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
}
