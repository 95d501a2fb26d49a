/** The checks before a write: the current session, and signs of other programs that use it. */
import type { Dialect } from '../../format/entry/dialect';
import type { Session } from '../../format/session/session';
import { assertFree } from './writeGuard';
import type { CachedOwnWrite, OwnWrites } from './ownWrites';
import { presence, type Presence, type PresenceOptions } from '../presence/presence';
import { followSession, readSession, type FileVersion, type ReadOptions } from '../read/sessionFile';
import { cacheInspections } from '../presence/inspectProcesses';
import { changedError, hasGrown, refreshSession, sameVersion, readFileVersion } from '../read/compareVersions';
import type { OwnWrite } from '../storage/crossWindowLocks';

/** The basis for planning a change. */
export interface InspectedSession {
  readonly session: Session;
  readonly version: FileVersion;
  /** When others last wrote, in milliseconds since 1970; 0 if they didn't. */
  readonly foreignMs: number;
}

export interface PreWriteOptions {
  /** Go on although it is `unsure` whether another program has the file; never when it is `live`. */
  readonly force?: boolean;
  readonly dialect?: Dialect;
}

export interface PreWriteCheck {
  /** @throws {SessionError} `live`; `unsure` unless `force` is set. */
  assertNotInUse(path: string, session: Session | undefined, force: boolean): Promise<Presence>;
  /**
   * Reads the session and checks for signs of other programs.
   *
   * @param earlier result of the previous attempt, after which only the appended part is read.
   * @throws {SessionError} as `assertNotInUse` and `readSession`; `changed` if the file changed after the check for
   * signs.
   */
  inspect(path: string, options: PreWriteOptions, earlier?: InspectedSession): Promise<InspectedSession>;
}

export function createPreWriteCheck({ own, keyOf, signs }: { readonly own: OwnWrites; readonly keyOf: (path: string) => Promise<string>; readonly signs: PresenceOptions }): PreWriteCheck {
  const processes = cacheInspections(signs.processes);

  const assertNobody = async (path: string, session: Session | undefined, force: boolean): Promise<Presence> => {
    const about = session && { about: () => Promise.resolve({ cwd: session.header.cwd, dialect: session.dialect }) };
    const found = (await presence([path], { ...about, ...signs, processes, lastBytes: own.lastBytes })).get(path) ?? { state: 'free' };
    assertFree(path, found, force);
    return found;
  };

  const look = async (path: string, options: PreWriteOptions, earlier?: InspectedSession): Promise<InspectedSession> => {
    const read = readOptions(options);
    const seen = await readFileVersion(path);
    const key = await keyOf(path);
    const last = await own.lastAnywhere(key);
    const known: Pick<InspectedSession, 'session' | 'version'> = earlier ?? { session: await current(path, seen, own.lastHere(key), last, read), version: seen };
    const found = await assertNobody(path, known.session, options.force === true);
    // The check for signs takes a while, in which a busy program may write. The change is planned for the file as it is
    // now.
    const version = await readFileVersion(path);
    if (!sameVersion(seen, version) && !(hasGrown(seen, version) && hasGrowthSign(found))) throw changedError(path);
    const session = await refreshSession(known.session, known.version, version, read);
    const same = last !== undefined && sameVersion(last.version, version);
    const foreignMs = found.state === 'unsure' && !same ? version.mtimeMs : (last?.foreignMs ?? 0);
    return { session, version, foreignMs };
  };

  return { assertNotInUse: assertNobody, inspect: look };
}

export const readOptions = ({ dialect }: PreWriteOptions): ReadOptions => (dialect ? { dialect } : {});

/** Returns the session as of `version`. Reads incrementally if only the extension's windows wrote since. */
async function current(path: string, version: FileVersion, known: CachedOwnWrite | undefined, last: OwnWrite | undefined, read: ReadOptions): Promise<Session> {
  if (known?.session?.path !== path) return readSession(path, read);
  if (sameVersion(known.version, version)) return known.session;
  const onlyOurs = last !== undefined && sameVersion(last.version, version) && hasGrown(known.version, version);
  return onlyOurs ? followSession(known.session, read) : readSession(path, read);
}

const hasGrowthSign = (found: Presence): boolean => found.state !== 'free' && found.signs.some(({ how }) => how === 'growth');
