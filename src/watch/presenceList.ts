/** The sessions that another program uses, and the sessions that wait for the person, as of the last check. */
import { isDeepStrictEqual } from 'node:util';
import { WorkQueue, type Presence } from '../core/index';

export class PresenceList {
  private known = new Map<string, Presence>();
  private waiting: ReadonlySet<string> = new Set();
  /** The session that grew last while a process ran in its folder, by the process's id. */
  private readonly lastGrown = new Map<number, string>();
  /** One check at a time: a check that ends would otherwise overwrite the results of a check that began later. */
  private readonly checks = new WorkQueue();

  /**
   * @param endsWithAnswer resolves to whether the last message of a session is a complete answer; never rejects
   * @param isRecent false for a session whose last message is so old that no program can have written it just now: its file was copied
   */
  constructor(
    private readonly presence: (paths: readonly string[]) => Promise<Map<string, Presence>>,
    private readonly endsWithAnswer: (path: string) => Promise<boolean>,
    private readonly isRecent: (path: string) => boolean = () => true,
  ) {}

  get(path: string): Presence | undefined {
    return this.known.get(path);
  }

  /** True if a session's program runs, and its last message is a complete answer, so that it waits for the person. */
  needsInput(path: string): boolean {
    return this.waiting.has(path);
  }

  /**
   * Checks these sessions, and the sessions that weren't free. Resolves to the ones whose presence has changed, or that
   * need input or no longer do.
   */
  refresh(paths: readonly string[]): Promise<string[]> {
    return this.checks.add(() => this.refreshNow(paths));
  }

  private async refreshNow(paths: readonly string[]): Promise<string[]> {
    const before = this.known;
    const now = await this.presence([...new Set([...paths, ...before.keys()])]);
    const judged = Array.from(now, ([path, value]) => [path, this.isRecent(path) ? value : withoutGrowth(value)] as const);
    this.known = new Map(judged.filter(([, value]) => value.state !== 'free'));
    this.updateLastGrown();
    const open = [...this.known].flatMap(([path, value]) => (this.isOpen(path, value) ? [path] : []));
    const ended = await Promise.all(open.map((path) => this.endsWithAnswer(path)));
    const waitedBefore = this.waiting;
    this.waiting = new Set(open.filter((_, at) => ended[at] === true));
    return [...now.keys()].filter(
      (path) => !isDeepStrictEqual(before.get(path), this.known.get(path)) || waitedBefore.has(path) !== this.waiting.has(path),
    );
  }

  /**
   * True if a program is known to have the session, not only to have written to it. pi neither keeps its file open nor locks
   * it: that its process runs in the folder only counts for the session that it was seen to write to last.
   */
  private isOpen(path: string, presence: Presence): boolean {
    if (presence.state === 'live') return presence.signs.some(({ how }) => how !== 'growth');
    const pid = workerOf(presence);
    return pid !== undefined && this.lastGrown.get(pid) === path;
  }

  private updateLastGrown(): void {
    for (const [pid, path] of this.lastGrown) if (workerOf(this.known.get(path)) !== pid) this.lastGrown.delete(pid);
    for (const [path, presence] of this.known) {
      const pid = workerOf(presence);
      if (pid !== undefined && presence.state === 'live') this.lastGrown.set(pid, path);
    }
  }
}

/** The presence without the sign that the file was written to. Together with that sign, a process in the folder is `live`. */
function withoutGrowth(presence: Presence): Presence {
  if (presence.state === 'free' || presence.signs.every(({ how }) => how !== 'growth')) return presence;
  const [sign, ...more] = presence.signs.filter(({ how }) => how !== 'growth');
  if (!sign) return { state: 'free' };
  return { state: sign.how === 'process' || sign.how === 'breadcrumb' ? 'unsure' : presence.state, signs: [sign, ...more] };
}

/** The process that runs in a session's folder, if it's a sign of its program. */
function workerOf(presence: Presence | undefined): number | undefined {
  return presence === undefined || presence.state === 'free' ? undefined : presence.signs.find(({ how }) => how === 'process')?.pid;
}
