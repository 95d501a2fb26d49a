/** Caches the heads of opened sessions, so that only the appended lines of a grown file are read. */
import type { Session } from '../../format/session/session';
import { followSession, readSession, type FileVersion, type ReadOptions } from '../../files/read/sessionFile';
import { hasGrown, sameVersion } from '../../files/read/versions/compareVersions';
import { keepRecent } from '../../format/values/lists';
import { tally, type Tally } from '../rows/sessionSummary';

/** Limit of entries over all cached sessions: some tens of MB. */
const MAX_CACHED_HEADS = 100_000;

interface CachedSession {
  readonly session: Session;
  readonly version: FileVersion;
  readonly tally: Tally;
}

/** Options of `SessionCache.open`. */
interface OpenOptions extends Omit<ReadOptions, 'signal'> {
  /** True to cache the heads. */
  readonly keep: boolean;
}

export class SessionCache {
  /** The least recently used first. */
  private readonly cached = new Map<string, CachedSession>();
  /** The last read of each file that is being read. */
  private readonly reads = new Map<string, Promise<unknown>>();

  has(path: string): boolean {
    return this.cached.has(path);
  }

  delete(path: string): void {
    this.cached.delete(path);
  }

  /**
   * Opens the session in the given version or a later one, after all earlier reads of the same file: while a large file is
   * being written, each of its versions would be read from the same state on, all at the same time.
   *
   * @param version the file's version that was last read from the disk
   * @throws {SessionError} as `readSession`.
   */
  async open(path: string, version: FileVersion, options: OpenOptions): Promise<CachedSession> {
    const read = (this.reads.get(path) ?? Promise.resolve()).then(() => this.openNow(path, version, options));
    const settled = read.catch(() => undefined);
    this.reads.set(path, settled);
    try {
      return await read;
    } finally {
      if (this.reads.get(path) === settled) this.reads.delete(path);
    }
  }

  private async openNow(path: string, version: FileVersion, { keep, ...options }: OpenOptions): Promise<CachedSession> {
    const before = this.cached.get(path);
    if (before && sameVersion(before.version, version)) {
      this.keep(path, before);
      return before;
    }
    const grew = before !== undefined && hasGrown(before.version, version);
    const session = grew ? await followSession(before.session, options) : await readSession(path, options);
    const opened: CachedSession = { session, version, tally: tally(session, before?.tally) };
    if (keep) this.keep(path, opened);
    return opened;
  }

  private keep(path: string, opened: CachedSession): void {
    keepRecent(this.cached, path, opened, ({ session }) => session.byId.size, MAX_CACHED_HEADS);
  }
}
