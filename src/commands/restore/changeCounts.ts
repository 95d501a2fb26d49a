/** The number of files that restoring a point would change, for those who want to know before they go there. */
import type { EntryRef } from '../../contract';
import { settledCatalog } from '../handler/settledCatalog';
import { assertMayRestore, isChanged, planFiles, type PlanDeps } from './planFiles';

/** Files in a session's folder that sessions edited; with more, nothing is counted. */
const MAX_FILES = 2000;
/** Milliseconds that a count may take. */
const MAX_TIME = 10_000;
/** Milliseconds for which a count is kept, since files also change without a session. */
const MAX_AGE = 60_000;
/** Counts that are kept. */
const MAX_COUNTS = 500;

export class ChangeCounts {
  private readonly known = new Map<string, { readonly count: number; readonly at: number }>();

  constructor(private readonly deps: PlanDeps) {}

  /**
   * Counts the files that would change, certain and likely ones.
   *
   * @returns `undefined` if there are too many files, or if it takes too long
   * @throws {SessionError} as `planFiles`; the signal's reason if aborted
   */
  async count(ref: EntryRef, signal: AbortSignal): Promise<number | undefined> {
    const key = JSON.stringify([ref.path, ref.entryId]);
    const known = this.known.get(key);
    if (known && Date.now() - known.at < MAX_AGE) return known.count;
    const limit = AbortSignal.timeout(MAX_TIME);
    try {
      if (await this.hasManyFiles(ref)) return undefined;
      const plan = await planFiles(this.deps, ref, { include: 'likely', signal: AbortSignal.any([signal, limit]) });
      const count = plan.files.filter(isChanged).length;
      if (this.known.size >= MAX_COUNTS) this.known.clear();
      this.known.set(key, { count, at: Date.now() });
      return count;
    } catch (error) {
      if (limit.aborted && !signal.aborted) return undefined;
      throw error;
    }
  }

  private async hasManyFiles({ path }: EntryRef): Promise<boolean> {
    assertMayRestore();
    const catalog = await settledCatalog(this.deps.catalog);
    const { cwd } = (await this.deps.session(path)).header;
    const touches = await catalog.touchesWithin(catalog.pathHere(path, cwd, cwd));
    return new Set(touches.map(({ file }) => file)).size > MAX_FILES;
  }

  /** Called when sessions or files changed. */
  clear(): void {
    this.known.clear();
  }
}
