/** The look before a write: the session as it is now, and who else has it. */
import type { Dialect } from '../format/dialect';
import type { Session } from '../format/session';
import { assertFree } from './guard';
import type { Own, OwnWrites } from './ownWrites';
import { presence, type Presence, type PresenceOptions } from './presence';
import { followSession, readSession, type FileVersion, type ReadOptions } from './sessionFile';
import { sharedLooks } from './signs/processes';
import { changed, isGrown, readOn, sameVersion, versionOf } from './versions';
import type { OwnWrite } from './windows';

/** What a decision is made from. */
export interface Looked {
  readonly session: Session;
  readonly version: FileVersion;
  /** When others last wrote, in milliseconds since 1970; 0 if they didn't. */
  readonly foreignMs: number;
}

export interface LookOptions {
  /** Go on although it is `unsure` whether another program has the file; never when it is `live`. */
  readonly force?: boolean;
  readonly dialect?: Dialect;
}

export interface Looking {
  /** @throws {SessionError} `live`; `unsure` unless `force` is set. */
  assertNobody(path: string, session: Session | undefined, force: boolean): Promise<Presence>;
  /**
   * `earlier` is what the last attempt saw, so that only what was appended since is read.
   *
   * @throws {SessionError} as `assertNobody` and `readSession`; `changed` if the file changed after the signs were looked for.
   */
  look(path: string, options: LookOptions, earlier?: Looked): Promise<Looked>;
}

export function lookAt({ own, keyOf, signs }: { readonly own: OwnWrites; readonly keyOf: (path: string) => Promise<string>; readonly signs: PresenceOptions }): Looking {
  const processes = sharedLooks(signs.processes);

  const assertNobody = async (path: string, session: Session | undefined, force: boolean): Promise<Presence> => {
    const about = session && { about: () => Promise.resolve({ cwd: session.header.cwd, dialect: session.dialect }) };
    const found = (await presence([path], { ...about, ...signs, processes, lastBytes: own.lastBytes })).get(path) ?? { state: 'free' };
    assertFree(path, found, force);
    return found;
  };

  const look = async (path: string, options: LookOptions, earlier?: Looked): Promise<Looked> => {
    const read = readOptions(options);
    const seen = await versionOf(path);
    const key = await keyOf(path);
    const last = await own.last(key);
    const known: Pick<Looked, 'session' | 'version'> = earlier ?? { session: await current(path, seen, own.here(key), last, read), version: seen };
    const found = await assertNobody(path, known.session, options.force === true);
    // Looking for signs takes a while, in which a busy program writes: the decision is made on the file as it is now.
    const version = await versionOf(path);
    if (!sameVersion(seen, version) && !(isGrown(seen, version) && grows(found))) throw changed(path);
    const session = await readOn(known.session, known.version, version, read);
    const same = last !== undefined && sameVersion(last.version, version);
    const foreignMs = found.state === 'unsure' && !same ? version.mtimeMs : (last?.foreignMs ?? 0);
    return { session, version, foreignMs };
  };

  return { assertNobody, look };
}

export const readOptions = ({ dialect }: LookOptions): ReadOptions => (dialect ? { dialect } : {});

/** The session as of `version`: what is known of it, read on where it was one of our windows that wrote. */
async function current(path: string, version: FileVersion, known: Own | undefined, last: OwnWrite | undefined, read: ReadOptions): Promise<Session> {
  if (known?.session?.path !== path) return readSession(path, read);
  if (sameVersion(known.version, version)) return known.session;
  const onlyOurs = last !== undefined && sameVersion(last.version, version) && isGrown(known.version, version);
  return onlyOurs ? followSession(known.session, read) : readSession(path, read);
}

/** Whether growth is among the signs already, so that more of it changes nothing. */
const grows = (found: Presence): boolean => found.state !== 'free' && found.signs.some(({ how }) => how === 'growth');
