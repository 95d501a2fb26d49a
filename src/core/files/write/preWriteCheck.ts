/** The checks before a write: the current session, and signs of other programs that use it. */
import type { Dialect } from '../../format/entry/dialect';
import type { Session } from '../../format/session/session';
import { assertFree } from './writeGuard';
import type { CachedOwnWrite, OwnWrites } from './ownWrites';
import { presence, type Presence, type PresenceOptions } from '../presence/presence';
import { followSession, readSession, type FileVersion, type ReadOptions } from '../read/sessionFile';
import { cacheInspections } from '../presence/inspectProcesses';
import { thisSystem } from '../presence/system';
import { changedError, hasGrown, refreshSession, sameVersion, readFileVersion } from '../read/versions/compareVersions';
import type { OwnWrite } from '../storage/crossWindowLocks';

/** The basis for planning a change. */
export interface InspectedSession {
  readonly session: Session;
  readonly version: FileVersion;
  /** Time of the last write by another program, in milliseconds since 1970; 0 if there was none. */
  readonly foreignMs: number;
}

/** Options for changing an existing file. */
export interface PreWriteOptions {
  /** Continues although it's `unsure` if another program uses the file; never when it's `live`. */
  readonly force?: boolean;
  /** The root's dialect, which applies if the file's content doesn't reveal its own. */
  readonly dialect?: Dialect;
  /** Further folders in which a program at work counts, for a session whose project moves. */
  readonly folders?: readonly string[];
}

export interface PreWriteCheck {
  /**
   * Checks for signs of other programs.
   *
   * @throws {SessionError} `live`; `unsure` unless `force` is set.
   */
  assertNotInUse(path: string, session: Session | undefined, options: PreWriteOptions): Promise<Presence>;
  /**
   * Checks that no other process has a session's file open, which has another name since `assertNotInUse`.
   *
   * @throws {SessionError} `live`
   */
  assertClosed(path: string, name: string): Promise<void>;
  /**
   * Reads the session and checks for signs of other programs.
   *
   * @param earlier result of the previous attempt, after which only the appended part is read.
   * @throws {SessionError} as `assertNotInUse` and `readSession`; `changed` if the file changed after the check for
   * signs.
   */
  inspect(path: string, options: PreWriteOptions, earlier?: InspectedSession): Promise<InspectedSession>;
}

export function createPreWriteCheck({
  own,
  keyOf,
  signs,
}: {
  readonly own: OwnWrites;
  readonly keyOf: (path: string) => Promise<string>;
  readonly signs: PresenceOptions;
}): PreWriteCheck {
  const processes = cacheInspections(signs.processes);

  const assertNotInUse = async (
    path: string,
    session: Session | undefined,
    { force = false, folders = [] }: PreWriteOptions,
  ): Promise<Presence> => {
    const about = session && { about: () => Promise.resolve({ id: session.header.id, cwd: session.header.cwd, dialect: session.dialect }) };
    const found = (await presence([path], { ...about, ...signs, processes, folders: () => folders, lastBytes: own.lastBytes })).get(
      path,
    ) ?? { state: 'free' };
    assertFree(path, found, force);
    return found;
  };

  const inspect = async (path: string, options: PreWriteOptions, earlier?: InspectedSession): Promise<InspectedSession> => {
    const read = readOptions(options);
    const seen = await readFileVersion(path);
    const key = await keyOf(path);
    const last = await own.lastAnywhere(key);
    const known: Pick<InspectedSession, 'session' | 'version'> = earlier ?? {
      session: await current(path, seen, own.lastHere(key), last, read),
      version: seen,
    };
    const found = await assertNotInUse(path, known.session, options);
    // The check for signs takes a while, in which a busy program may write. The change is planned for the file as it is
    // now.
    const version = await readFileVersion(path);
    if (!sameVersion(seen, version) && !(hasGrown(seen, version) && hasGrowthSign(found))) throw changedError(path);
    const session = await refreshSession(known.session, known.version, version, read);
    const same = last !== undefined && sameVersion(last.version, version);
    const foreignMs = found.state === 'unsure' && !same ? version.mtimeMs : (last?.foreignMs ?? 0);
    return { session, version, foreignMs };
  };

  const assertClosed = async (path: string, name: string): Promise<void> => {
    const key = await keyOf(name);
    const opener = (await processes([key], signs.system ?? thisSystem)).open.get(key);
    if (opener) assertFree(path, { state: 'live', signs: [{ how: 'open', ...opener }] }, false);
  };

  return { assertNotInUse, assertClosed, inspect };
}

export const readOptions = ({ dialect }: PreWriteOptions): ReadOptions => (dialect ? { dialect } : {});

/** Returns the session as of `version`. Reads incrementally if only the extension's windows wrote since. */
async function current(
  path: string,
  version: FileVersion,
  known: CachedOwnWrite | undefined,
  last: OwnWrite | undefined,
  read: ReadOptions,
): Promise<Session> {
  if (known?.session?.path !== path) return readSession(path, read);
  if (sameVersion(known.version, version)) return known.session;
  const onlyOurs = last !== undefined && sameVersion(last.version, version) && hasGrown(known.version, version);
  return onlyOurs ? followSession(known.session, read) : readSession(path, read);
}

/** True if growth is already among the signs, so that further growth makes no difference. */
const hasGrowthSign = (found: Presence): boolean => found.state !== 'free' && found.signs.some(({ how }) => how === 'growth');
