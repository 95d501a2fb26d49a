/** What a writer remembers of its own writes, and hears of those of other windows: so growth by us is told from growth by others. */
import type { Session } from '../../format/session/session';
import { RECENT_WRITE_MS, type LastWriteOwner } from '../presence/recentWrites';
import { sameVersion } from '../read/compareVersions';
import type { OwnWrite, CrossWindowLocks } from '../storage/crossWindowLocks';

export interface CachedOwnWrite extends OwnWrite {
  /** The session as of `version`, so that a row of appends reads only what was appended. */
  readonly session?: Session;
}

/** By a file's key, as `keyOf` of the writer gives it. */
export interface OwnWrites {
  /** What this writer wrote last. */
  lastHere(key: string): CachedOwnWrite | undefined;
  /** What this writer, or another window of ours, wrote last. */
  lastAnywhere(key: string): Promise<OwnWrite | undefined>;
  remember(key: string, next: CachedOwnWrite): Promise<void>;
  forget(key: string): void;
  readonly lastBytes: LastWriteOwner;
}

/** Sessions that are kept for the next append. */
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
      // Times of a stat in numbers lose less than a microsecond against those in nanoseconds.
      const isAsLeft = known.version.size === file.size && Math.abs(known.version.mtimeMs - file.mtimeMs) < 0.01;
      // A time that is still to come was written by another clock, and says nothing of the last seconds.
      return isAsLeft && Math.abs(Date.now() - known.foreignMs) > RECENT_WRITE_MS ? 'ours' : 'theirs';
    },
  };
}
