/** Finds the names of a file through links that sessions wrote in its path, such as those between the packages of a project. */
import { basename, join } from 'node:path';
import type { UntrustedPaths } from '../../files/io/untrustedPaths';
import { isPlace } from '../../files/relink/movedPaths';
import { isUnc } from '../../format/text/remotePath';
import { levelsOf } from './pathLevels';

/** Milliseconds after which paths are looked up again. */
const MAX_AGE = 60_000;
/** Paths that are looked up at a time. */
const MAX_PATHS = 2000;

export class SpelledPaths {
  /** The real paths of the paths that sessions wrote, since `since`; `undefined` for one that can't be resolved. */
  private readonly targets = new Map<string, Promise<string | undefined>>();
  private since = -Infinity;

  /** @param withName returns the paths in sessions with this file name, beginning with the newest session */
  constructor(
    private readonly withName: (name: string) => Promise<readonly string[]>,
    private readonly named: UntrustedPaths,
  ) {}

  /** Returns the paths in sessions that have the name of one of the files. */
  async candidates(files: readonly string[]): Promise<string[]> {
    const names = new Set(files.map((file) => basename(file)));
    return (await Promise.all([...names].map((name) => this.withName(name)))).flat().filter((path) => isPlace(path) && !isUnc(path));
  }

  /** Adds the candidates that lead to one of the files. @param files absolute paths, the real ones among them */
  async addMatching(candidates: readonly string[], files: readonly string[], paths: Set<string>): Promise<void> {
    if (performance.now() - this.since > MAX_AGE) {
      this.since = performance.now();
      this.targets.clear();
    }
    const wanted = new Set(files);
    await Promise.all(
      candidates.map(async (path) => {
        const target = wanted.has(path) ? undefined : await this.targetOf(path);
        if (target !== undefined && wanted.has(target)) paths.add(path);
      }),
    );
  }

  private targetOf(path: string): Promise<string | undefined> | undefined {
    let known = this.targets.get(path);
    if (!known && this.targets.size < MAX_PATHS) this.targets.set(path, (known = this.lookUp(path)));
    return known;
  }

  /** A file that's gone was in the nearest folder that's there. */
  private async lookUp(path: string): Promise<string | undefined> {
    for (const { at, rest } of levelsOf(path)) {
      const real = await this.named.realPath(at);
      if (real !== undefined) return join(real, rest);
    }
    return undefined;
  }
}
