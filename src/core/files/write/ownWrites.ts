/**
 * Records the last writes of this writer, and reads the records of other windows. They distinguish growth by the
 * extension from growth by other programs.
 */
import type { Session } from '../../format/session/session';
import { RECENT_WRITE_MS, type LastWriteOwner } from '../presence/recentWrites';
import { sameVersion } from '../read/versions/compareVersions';
import type { OwnWrite, CrossWindowLocks } from '../storage/crossWindowLocks';

export interface CachedOwnWrite extends OwnWrite {
  /** The session as of `version`, so that consecutive appends read only the appended part. */
  readonly session?: Session;
}

/** Records by file key, as returned by the writer's `keyOf`. */
export interface OwnWrites {
  /** The last write of this writer. */
  lastHere(key: string): CachedOwnWrite | undefined;
  /** The last write of this writer or of another window. */
  lastAnywhere(key: string): Promise<OwnWrite | undefined>;
  remember(key: string, next: CachedOwnWrite): Promise<void>;
  forget(key: string): void;
  readonly lastBytes: LastWriteOwner;
}

/** Number of sessions that are kept for the next append. */
const KEPT_SESSIONS = 4;

export function createOwnWrites(windows: CrossWindowLocks, keyOf: (path: string) => Promise<string>): OwnWrites {
  const own = new Map<string, CachedOwnWrite>();

  const last = async (key: string): Promise<OwnWrite | undefined> => {
    const [here, anywhere] = [own.get(key), await windows.lastWrite(key)];
    return anywhere && !(here && sameVersion(here.version, anywhere.version)) ? anywhere : here;
  };

  return {
    lastHere: (key) => own.get(key),
    lastAnywhere: last,
    remember: async (key, next) => {
      await windows.saveWrite(key, { version: next.version, foreignMs: next.foreignMs });
      own.delete(key);
      own.set(key, next);
      const kept = [...own].filter(([, value]) => value.session);
      for (const [old, { version, foreignMs }] of kept.slice(0, -KEPT_SESSIONS)) own.set(old, { version, foreignMs });
    },
    forget: (key) => {
      own.delete(key);
    },
    lastBytes: async (path, file) => {
      const known = await last(await keyOf(path));
      if (!known) return undefined;
      // A `stat` in numbers is less than a microsecond less precise than one in nanoseconds.
      const isAsLeft = known.version.size === file.size && Math.abs(known.version.mtimeMs - file.mtimeMs) < 0.01;
      // A time in the future comes from another clock, and doesn't reveal recent writes.
      return isAsLeft && Math.abs(Date.now() - known.foreignMs) > RECENT_WRITE_MS ? 'ours' : 'theirs';
    },
  };
}
