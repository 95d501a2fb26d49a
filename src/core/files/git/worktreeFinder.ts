/**
 * The linked worktrees that many folders are in, kept for a while. Removed worktrees are known by their
 * repository's records, and some by their names.
 */
import { isAbsolute } from 'node:path';
import { Yielder } from '../concurrency/eventLoop';
import { forEachConcurrent } from '../concurrency/forEachConcurrent';
import { UntrustedPaths } from '../io/untrustedPaths';
import { PlaceMap } from '../relink/movedPaths';
import { hashedWorktrees } from './hashedWorktrees';
import { recordedWorktrees, worktreeOf, type Worktree } from './worktree';

const KEEP_MS = 30_000;

export class WorktreeFinder {
  private readonly found = new Map<string, Worktree | undefined>();
  private readonly checkedAt = new Map<string, number>();

  /** @param now milliseconds; replaced in tests */
  constructor(
    private readonly paths: Pick<UntrustedPaths, 'isRefused' | 'isMissing'> = new UntrustedPaths(),
    private readonly now: () => number = Date.now,
  ) {}

  /** The worktree that a folder was in when it was last looked at. */
  of = (folder: string): Worktree | undefined => this.found.get(folder);

  /**
   * Looks at folders again that haven't been looked at for a while.
   *
   * @param folders the folders of all sessions: the records of one name others that are gone
   * @param keepMs milliseconds for which a folder isn't looked at again
   * @returns true if a folder is in another worktree than before
   */
  async check(folders: Iterable<string>, keepMs = KEEP_MS): Promise<boolean> {
    const now = this.now();
    const all = [...new Set(folders)].filter((folder) => isAbsolute(folder));
    const due = all.filter((folder) => now - (this.checkedAt.get(folder) ?? -Infinity) > keepMs);
    for (const folder of due) this.checkedAt.set(folder, now);
    const fresh = new Map<string, Worktree>();
    const gone: string[] = [];
    await forEachConcurrent(due, async (folder) => {
      const worktree = await worktreeOf(folder, this.paths);
      if (worktree) fresh.set(folder, worktree);
      else if (await this.paths.isMissing(folder)) gone.push(folder);
    });
    if (gone.length > 0) await this.findRemoved(gone, all, fresh);
    let differs = false;
    for (const folder of due) {
      const worktree = fresh.get(folder);
      const before = this.found.get(folder);
      differs ||= before?.repository !== worktree?.repository || before?.folder !== worktree?.folder;
      this.found.set(folder, worktree);
    }
    return differs;
  }

  private async findRemoved(gone: readonly string[], all: readonly string[], fresh: Map<string, Worktree>): Promise<void> {
    const missing = new Set(gone);
    const repositories = new Set(all.filter((folder) => !missing.has(folder) && !fresh.has(folder)));
    for (const { repository } of fresh.values()) repositories.add(repository);
    const recorded = new PlaceMap<Worktree>();
    await forEachConcurrent([...repositories], async (repository) => {
      for (const folder of await recordedWorktrees(repository, this.paths)) recorded.set(folder, { folder, repository });
    });
    const byName = await new Yielder(undefined).run(hashedWorktrees(gone, repositories));
    for (const folder of gone) {
      const worktree = recorded.find(folder)?.value ?? byName.get(folder);
      if (worktree) fresh.set(folder, worktree);
    }
  }
}
