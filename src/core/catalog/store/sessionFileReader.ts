/** Reads session files for the store: whole sessions, whose heads are kept while they are open or growing, and rows. */
import { defined } from '../../format/entry/defined';
import type { Session } from '../../format/session/session';
import { rootOf } from '../../files/locate/roots';
import type { FileVersion } from '../../files/read/sessionFile';
import type { DiskInventory } from '../refresh/diskInventory';
import type { InventoryFile } from '../refresh/inventoryFile';
import { summarize, withFileTime } from '../rows/sessionSummary';
import { summaryInRoot } from '../rows/summaryInRoot';
import type { ListedSession } from './listedSession';
import { SessionCache } from './sessionCache';

export class SessionFileReader {
  private readonly cache = new SessionCache();

  /** @param home see `PathBases`. */
  constructor(
    private readonly disk: Pick<DiskInventory, 'roots'>,
    private readonly home: string | undefined,
  ) {}

  /** True if the session's heads are kept. */
  has(path: string): boolean {
    return this.cache.has(path);
  }

  delete(path: string): void {
    this.cache.delete(path);
  }

  /**
   * Reads a session, and keeps its heads for the next call.
   *
   * @throws {SessionError} as `readSession`.
   */
  async session(path: string, version: FileVersion): Promise<Session> {
    const { session } = await this.cache.open(path, version, { ...this.readOptions(path), keep: true });
    return session;
  }

  /**
   * Reads a file's row.
   *
   * @param isListed true if the file has a row already: heads are kept of files that are open or growing, not of every
   * file in a listing.
   * @returns `undefined` if the file is gone.
   */
  async row({ path, root, owner, version, error }: InventoryFile, isListed: boolean): Promise<ListedSession | undefined> {
    const place = { path, root, version, complete: true, ...defined({ owner }) };
    if (error !== undefined) return { ...place, kind: 'unreadable', error };
    try {
      const keep = isListed || this.cache.has(path);
      const { session, tally } = await this.cache.open(path, version, { ...this.readOptions(path, root), keep });
      // A guess of the size isn't needed any more.
      const read = version.isEstimate ? { ...place, version: withoutEstimate(version, session) } : place;
      return { ...read, kind: 'session', summary: summaryInRoot(withFileTime(summarize(session, tally), version), root) };
    } catch (failure) {
      return isNotFound(failure) ? undefined : { ...place, kind: 'unreadable', error: failure };
    }
  }

  private readOptions(path: string, root = rootOf(path, this.disk.roots())) {
    return defined({ dialect: root?.dialect, home: this.home });
  }
}

const withoutEstimate = ({ mtimeMs, ino, facts }: FileVersion, { size }: Session): FileVersion => ({
  size,
  mtimeMs,
  ino,
  ...defined({ facts }),
});

const isNotFound = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'not-found';
