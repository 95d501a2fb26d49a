/** Sessions that were opened: their heads stay for the next time, and what was appended is read on from where they end. */
import { stat } from 'node:fs/promises';
import type { Session } from '../../format/session/session';
import { SessionError } from '../../format/entry/problem';
import { fileError } from '../../files/io/fileErrors';
import { notRegularFileError } from '../../files/io/regularFile';
import { fileVersion, followSession, readSession, type FileVersion, type ReadOptions } from '../../files/read/sessionFile';
import { hasGrown, sameVersion } from '../../files/read/compareVersions';
import { keepRecent } from '../keepRecent';
import { tally, type Tally } from '../rows/sessionSummary';

/** Entries whose heads are kept, over all sessions: some tens of MB. */
const MAX_CACHED_HEADS = 100_000;

export interface CachedSession {
  readonly session: Session;
  readonly version: FileVersion;
  readonly tally: Tally;
}

/** Gives a session's heads without reading what it knows of them. */
type HeadsLoader = (path: string) => Promise<Session>;

export class SessionCache {
  /** The least recently used first. */
  private readonly cached = new Map<string, CachedSession>();

  has(path: string): boolean {
    return this.cached.has(path);
  }

  delete(path: string): void {
    this.cached.delete(path);
  }

  /**
   * The session in the state `version`, or a later one. `keep`: whether to have its heads ready for the next time.
   *
   * @throws {SessionError} as `readSession`.
   */
  async open(path: string, version: FileVersion, { keep, heads, ...options }: ReadOptions & { readonly keep: boolean; readonly heads?: HeadsLoader | undefined }): Promise<CachedSession> {
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
    // What the file is to blame for stays so; a database may be broken, and the file is there all the same.
    if (error instanceof SessionError) throw error;
    return readSession(path, options);
  }
}

/** @throws {SessionError} `not-found`, `permission`, `not-a-session` for what is no file. */
export async function sessionFileVersion(path: string): Promise<FileVersion> {
  const stats = await stat(path, { bigint: true }).catch((error: unknown) => {
    throw fileError(error, path);
  });
  if (!stats.isFile()) throw notRegularFileError(path);
  return fileVersion(stats);
}
