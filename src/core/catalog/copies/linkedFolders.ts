/** The names that files have through symbolic links: a session that ran in a link to its project doesn't name them by their real paths. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { settledWithin } from '../../files/concurrency/deadline';
import { Yielder } from '../../files/concurrency/eventLoop';
import { UntrustedPaths } from '../../files/io/untrustedPaths';
import { expandPath } from '../../files/locate/roots';
import { isPlace, placeWithin } from '../../files/relink/movedPaths';
import { isUnc } from '../../format/text/remotePath';
import { projectFolders } from '../rows/projectFolders';
import type { SessionSummary } from '../rows/sessionSummary';
import { levelsOf } from './pathLevels';
import { SpelledPaths } from './spelledPaths';

/** Milliseconds that a query waits for the disk. What is known later counts for later queries. */
const MAX_WAIT = 500;
/** Milliseconds after which folders are looked up again: links are made and removed while the catalog is open. */
const MAX_AGE = 60_000;
/** Number of folders that are looked up at a time, beginning with the folders of the newest sessions. */
const MAX_FOLDERS = 2000;
/** Names of a file by folders that lead to it: each is searched for. */
const MAX_NAMES = 16;

/** @typeParam F a known file */
export class LinkedFolders<F extends object> {
  private readonly seen = new WeakSet<F>();
  /** The folders of projects, as sessions name them. */
  private readonly folders = new Set<string>();
  /** The real paths of the folders that links lead to. */
  private readonly links = new Map<string, string>();
  /** The real paths of folders as the disk has them, since `since`. */
  private readonly realPaths = new Map<string, Promise<string | undefined>>();
  private since = -Infinity;
  private pending: Promise<void> | undefined;
  private readonly spelled: SpelledPaths;

  /**
   * @param summaryOf the summary that lists show of a file
   * @param withName the paths of that file name in sessions
   */
  constructor(
    private readonly known: ReadonlyMap<string, F>,
    private readonly summaryOf: (file: F) => SessionSummary,
    withName: (name: string) => Promise<readonly string[]>,
    private readonly signal: AbortSignal | undefined,
    private readonly named = new UntrustedPaths(),
  ) {
    this.spelled = new SpelledPaths(withName, named);
  }

  /** Returns the names that sessions may have for a file here, which may be gone: first the given one. Waits for no disk that hangs. */
  async namesOf(given: string): Promise<string[]> {
    const file = resolve(expandPath(given, homedir()));
    const real: string[] = [];
    this.pending ??= this.lookUpFolders().finally(() => (this.pending = undefined));
    await Promise.all([settledWithin(this.addRealNames(file, real), MAX_WAIT), this.pending]);
    const own = [...new Set([file, ...real])];
    const spelled = new Set<string>();
    const candidates = await this.spelled.candidates(own);
    await settledWithin(this.spelled.addMatching(candidates, own, spelled), MAX_WAIT);
    const others = new Set([...spelled].slice(0, MAX_NAMES));
    for (const [folder, target] of this.links) {
      for (const name of own) {
        const rest = placeWithin(target, name);
        if (rest !== undefined) others.add(join(folder, rest));
      }
      if (others.size >= MAX_NAMES) break;
    }
    return [...new Set([...own, ...others])];
  }

  /** Adds the file's path with all its links resolved, and the paths with only the first links resolved. */
  private async addRealNames(file: string, names: string[]): Promise<void> {
    for (const { at, rest } of levelsOf(file)) {
      const real = await this.named.realPath(at);
      if (real !== undefined) names.push(join(real, rest));
      if (real === at) return;
    }
  }

  /** Looks up the folders that are new; all, when it's long ago. */
  private async lookUpFolders(): Promise<void> {
    const fresh = await new Yielder(this.signal).run(projectFolders(this.newSummaries()));
    const added = fresh.filter((folder) => isPlace(folder) && !isUnc(folder)).map((folder) => resolve(folder));
    for (const folder of added) this.folders.add(folder);
    const isOld = performance.now() - this.since > MAX_AGE;
    if (isOld) {
      this.since = performance.now();
      this.realPaths.clear();
    }
    const wanted = [...new Set(isOld ? this.folders : added)].slice(0, MAX_FOLDERS - this.realPaths.size);
    await settledWithin(Promise.all(wanted.map((folder) => this.lookUp(folder))), MAX_WAIT);
  }

  private *newSummaries(): Generator<SessionSummary> {
    for (const file of this.known.values()) {
      if (this.seen.has(file)) continue;
      this.seen.add(file);
      const summary = this.summaryOf(file);
      if (!this.folders.has(summary.cwd)) yield summary;
    }
  }

  private async lookUp(folder: string): Promise<void> {
    for (const { at, rest } of levelsOf(folder)) {
      const real = await this.realPath(at);
      // A missing folder is resolved by its nearest existing parent.
      if (real === undefined) continue;
      const target = join(real, rest);
      if (target === folder) this.links.delete(folder);
      else this.links.set(folder, target);
      return;
    }
  }

  private realPath(folder: string): Promise<string | undefined> | undefined {
    let known = this.realPaths.get(folder);
    if (!known && this.realPaths.size < MAX_FOLDERS) this.realPaths.set(folder, (known = this.named.realPath(folder)));
    return known;
  }
}
