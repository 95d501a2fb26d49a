/** The sessions that another program has, as of the last check. */
import type { Presence } from '../core/index';

export class PresenceList {
  private known = new Map<string, Presence>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly presence: (paths: readonly string[]) => Promise<Map<string, Presence>>) {}

  get(path: string): Presence | undefined {
    return this.known.get(path);
  }

  /** Checks these sessions and those that weren't free. Resolves to the ones whose state has changed. */
  refresh(paths: readonly string[]): Promise<string[]> {
    // One at a time: a check that ends would otherwise forget what another one, which began meanwhile, has found.
    const refreshed = this.last.then(() => this.refreshNow(paths));
    this.last = refreshed.catch(() => undefined);
    return refreshed;
  }

  private async refreshNow(paths: readonly string[]): Promise<string[]> {
    const before = this.known;
    const now = await this.presence([...new Set([...paths, ...before.keys()])]);
    this.known = new Map([...now].filter(([, value]) => value.state !== 'free'));
    return [...now].filter(([path, { state }]) => (before.get(path)?.state ?? 'free') !== state).map(([path]) => path);
  }
}
