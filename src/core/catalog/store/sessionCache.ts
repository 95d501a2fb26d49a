/** Caches the heads of opened sessions, so that only the appended lines of a grown file are read. */
import type { Session } from '../../format/session/session';
import { SessionError } from '../../format/entry/problem';
import { followSession, readSession, type FileVersion, type ReadOptions } from '../../files/read/sessionFile';
import { hasGrown, sameVersion } from '../../files/read/compareVersions';
import { keepRecent } from '../keepRecent';
import { tally, type Tally } from '../rows/sessionSummary';

/** Limit of entries over all cached sessions: some tens of MB. */
const MAX_CACHED_HEADS = 100_000;

export interface CachedSession {
  readonly session: Session;
  readonly version: FileVersion;
  readonly tally: Tally;
}

/** Loads a session's heads from the catalog, which reads only what it doesn't have. */
type HeadsLoader = (path: string) => Promise<Session>;

/** Options of `SessionCache.open`. */
interface OpenOptions extends Omit<ReadOptions, 'signal'> {
  /** True to cache the heads. */
  readonly keep: boolean;
  /** Loads the heads if nothing is cached. */
  readonly heads?: HeadsLoader | undefined;
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

  private async openNow(path: string, version: FileVersion, { keep, heads, ...options }: OpenOptions): Promise<CachedSession> {
    const before = this.cached.get(path);
    if (before && sameVersion(before.version, version)) {
      this.keep(path, before);
      return before;
    }
    const grew = before !== undefined && hasGrown(before.version, version);
    const session = grew ? await followSession(before.session, options) : await readWholeSession(path, options, heads);
    const opened: CachedSession = { session, version, tally: tally(session, before?.tally) };
    if (keep) this.keep(path, opened);
    return opened;
  }

  private keep(path: string, opened: CachedSession): void {
    keepRecent(this.cached, path, opened, ({ session }) => session.byId.size, MAX_CACHED_HEADS);
  }
}

async function readWholeSession(path: string, options: ReadOptions, heads: HeadsLoader | undefined): Promise<Session> {
  if (!heads) return readSession(path, options);
  try {
    return await heads(path);
  } catch (error) {
    // A `SessionError` is about the file. Any other error is about the database, and the file can be read without it.
    if (error instanceof SessionError) throw error;
    return readSession(path, options);
  }
}
