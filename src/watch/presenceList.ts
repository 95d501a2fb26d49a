/** The sessions that another program has, as of the last check. */
import type { Presence } from '../core/index';

export class PresenceList {
  private known = new Map<string, Presence>();

  constructor(private readonly presence: (paths: readonly string[]) => Promise<Map<string, Presence>>) {}

  get(path: string): Presence | undefined {
    return this.known.get(path);
  }

  /** Checks these sessions and those that weren't free. Resolves to the ones whose state has changed. */
  async refresh(paths: readonly string[]): Promise<string[]> {
    const before = this.known;
    const now = await this.presence([...new Set([...paths, ...before.keys()])]);
    this.known = new Map([...now].filter(([, value]) => value.state !== 'free'));
    return [...now.keys()].filter((path) => (before.get(path)?.state ?? 'free') !== now.get(path)!.state);
  }
}
