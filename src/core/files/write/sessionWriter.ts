/**
 * The only way to change existing session files. Each change is checked, planned, written once and verified; changes of
 * one file run one after the other. The writer records its own writes to distinguish them from those of other programs.
 */
import { resolve } from 'node:path';
import { planChange, type Change, type ChangePlan } from '../../format/write/change';
import type { Stamp } from '../../format/write/sessionNames';
import { SessionError } from '../../format/entry/problem';
import { archivedError, isArchivedSession } from '../../format/session/archivedSession';
import type { Session } from '../../format/session/session';
import { withLeftFiles } from './leftFiles';
import { appendText } from './appendText';
import { createFileQueue, keyOf } from './fileQueue';
import { forkSession, type Fork, type ForkOptions } from './forkSession';
import { realDisk, type Disk } from '../io/disk';
import { removeStaleProgramLocks, withProgramLock } from './writeGuard';
import { goneError, replacedError } from '../io/assertInPlace';
import { preserveLeaf, serializeLines } from './preserveLeaf';
import { createPreWriteCheck, readOptions, type InspectedSession, type PreWriteOptions } from './preWriteCheck';
import { migrateFile, migrationRefusal } from './migrateFile';
import { UntrustedPaths } from '../io/untrustedPaths';
import type { FileDigest } from '../io/atomicFile';
import { createOwnWrites } from './ownWrites';
import { presence, type Presence, type PresenceOptions } from '../presence/presence';
import { followSession, readSession, withAppendedLines, type FileVersion } from '../read/sessionFile';
import { createFutureMtimeCheck } from '../presence/recentWrites';
import { systemStamp } from './systemStamp';
import { hasGrown, readFileVersion } from '../read/compareVersions';
import { singleProcessLocks, createCrossWindowLocks } from '../storage/crossWindowLocks';

/** Options for changing an existing file. `dialect` is that of the file's root; see {@link ReadOptions.dialect}. */
export type SubmitOptions = PreWriteOptions;

/** Result of a change. */
export interface Submitted {
  /** Id of the last line that was written. */
  readonly entryId: string;
  /** Set if another program wrote at the same moment; both changes are in the file. */
  readonly concurrent?: true;
  /** The session that the change was planned for. */
  readonly before: Session;
  /** The session after the change. */
  readonly session: Session;
}

/** Result of a migration. */
export interface Migrated {
  /** The path that was given. */
  readonly path: string;
  /** Path of the old file. */
  readonly backupPath: string;
}

/** A file that may be moved or replaced now. */
export interface GuardedFile {
  readonly path: string;
  readonly version: FileVersion;
  /** Absent if the file isn't a readable session. */
  readonly session?: Session;
}

/**
 * The only way to change existing session files. Changes of one file run one after the other, in the order of the
 * calls. FORMAT section 6.
 */
export interface Writer {
  /**
   * Applies a change to a session file, in one write. FORMAT section 6.
   *
   * @throws {SessionError} `live`, `unsure`, `version`, `read-only`, `torn`, `changed`, `unknown-entry`, `invalid`,
   * `not-found`, `not-a-session`, `permission` or `no-space`: every byte is unchanged. `damaged`: the file has changed,
   * and the sentence names the place.
   */
  submit(path: string, change: Change, options?: SubmitOptions): Promise<Submitted>;
  /**
   * Migrates a file of version 1 or 2 to version 3 in place. The old file is kept as `<file>.v1.bak` or `.v2.bak`.
   * FORMAT section 6, rule 5.
   *
   * @returns the paths, and the digest of the new file.
   * @throws {SessionError} `already-current`, and as `submit`.
   */
  migrate(path: string, options?: SubmitOptions): Promise<Migrated & { readonly written: FileDigest }>;
  /**
   * Runs `work` on a file as a whole under the same guard as changes: one at a time, while no other program uses the
   * file, and holding its program's lock.
   *
   * @throws {SessionError} `live`, `unsure`, `not-found` or `permission`.
   * @throws the errors of `work`.
   */
  guarded<T>(path: string, work: (file: GuardedFile) => Promise<T>, options?: SubmitOptions): Promise<T>;
  /** Forks a session; see {@link forkSession}. The new file counts as written by this writer. */
  forkSession(path: string, options?: ForkOptions): Promise<Fork>;
  /** Returns the presence of other programs; see {@link presence}. This writer's own writes aren't signs of one. */
  presence(paths: readonly string[]): Promise<Map<string, Presence>>;
  /** Registers a file as just created by this extension. */
  own(path: string): Promise<void>;
  /**
   * Removes the programs' locks that killed writers of this extension left. Called at start.
   *
   * @throws all failures, after the other locks are handled.
   */
  recover(): Promise<void>;
  /** Removes records of own writes that are older than `maxAgeMs`. */
  prune(maxAgeMs: number): Promise<void>;
}

/** Options of {@link createWriter}. A `Stamp` is such options, and its members may be given separately. */
export interface WriterOptions extends Partial<Stamp> {
  /**
   * A folder that all processes of the extension share. With it, their writers lock each other out per file, and
   * recognize each other's writes. Without it, only this writer's own writes are recognized.
   */
  readonly locksDir?: string;
  /** The calls that change files; replaced in tests. */
  readonly disk?: Disk;
  /** Sources for the signs of other programs. */
  readonly signs?: Pick<PresenceOptions, 'system' | 'crumbs' | 'about' | 'named' | 'processes'>;
}

/** Number of attempts beside another program that writes. Then the change is refused. */
const ATTEMPTS = 10;

/** Creates a writer. Code that changes the same files in one process should share one. FORMAT section 6. */
export function createWriter(options: WriterOptions = {}): Writer {
  const { locksDir, disk = realDisk } = options;
  const signs = { named: new UntrustedPaths(), ...options.signs };
  const system = systemStamp();
  const stamp: Stamp = { id: options.id ?? system.id, now: options.now ?? system.now };
  const windows = locksDir === undefined ? singleProcessLocks : createCrossWindowLocks(locksDir);
  const enqueue = createFileQueue(windows);
  const own = createOwnWrites(windows, keyOf);
  const futures = createFutureMtimeCheck();
  const looking = createPreWriteCheck({ own, keyOf, signs: { ...signs, futures } });

  /**
   * Writes with retries. Beside a busy program the file may grow between the check and the write. Then nothing was
   * written, and the next attempt checks for signs again, follows the growth and plans anew.
   */
  const write = async (path: string, change: Change, options: SubmitOptions): Promise<Submitted> => {
    let looked: InspectedSession | undefined;
    for (let left = ATTEMPTS; ; left--) {
      try {
        looked = await looking.inspect(path, options, looked);
        return await writeAt(path, change, options, looked);
      } catch (error) {
        if (left === 1 || !(await onlyGrew(error, path, looked))) throw error;
      }
    }
  };

  const writeAt = async (
    path: string,
    change: Change,
    options: SubmitOptions,
    { session, version, foreignMs }: InspectedSession,
  ): Promise<Submitted> => {
    const decision = planChange(session, await withLeftFiles(session, change), stamp);
    return withProgramLock(
      path,
      session.dialect,
      async () => {
        const text = serializeLines(decision.lines);
        const done = await appendText(session, version, text, decision.titleSlot, disk);
        // The write has succeeded, even if the file can't be read again now.
        const after = await sessionAfter(session, decision, options).catch((error: unknown) => withoutReading(session, text, error));
        if (!after.byId.has(decision.entryId)) throw replacedError(path);
        const kept = {
          entryId: decision.entryId,
          session: after,
          ...done,
          ...(await preserveLeaf({ session, change, decision, done, after }, { stamp, disk })),
        };
        await own.remember(await keyOf(path), {
          version: kept.version,
          foreignMs: done.concurrent ? Date.now() : foreignMs,
          ...(done.concurrent ? {} : { session: after }),
        });
        return { entryId: kept.entryId, ...(done.concurrent ? { concurrent: true as const } : {}), before: session, session: kept.session };
      },
      disk,
    );
  };

  const guarded = async <T>(path: string, work: (file: GuardedFile) => Promise<T>, options: SubmitOptions): Promise<T> => {
    const version = await readFileVersion(path);
    // A file that can't be read has no program whose lock could be acquired.
    const session = await readSession(path, readOptions(options)).catch(() => undefined);
    if (session && isArchivedSession(path, session.dialect)) throw archivedError(path);
    await looking.assertNotInUse(path, session, options.force === true);
    const result = await (session
      ? withProgramLock(path, session.dialect, () => work({ path, version, session }), disk)
      : work({ path, version }));
    await claim(path).catch(async () => own.forget(await keyOf(path)));
    return result;
  };

  const claim = async (path: string): Promise<void> => {
    await own.remember(await keyOf(path), { version: await readFileVersion(path), foreignMs: 0 });
  };

  return {
    submit: (path, change, options = {}) => enqueue(path, (full) => write(full, change, options)),
    migrate: (path, options = {}) =>
      enqueue(path, async (full) => {
        // For a link its target is migrated, and the link stays.
        const target = await keyOf(full);
        const { session, version } = await looking.inspect(target, options);
        const refusal = migrationRefusal(session);
        if (refusal) throw refusal;
        const { backupPath, written } = await withProgramLock(target, session.dialect, () => migrateFile(session, version, disk), disk);
        await claim(target);
        return { path: full, backupPath, written };
      }),
    guarded: (path, work, options = {}) => enqueue(path, (full) => guarded(full, work, options)),
    forkSession: async (path, options = {}) => {
      const fork = await forkSession(path, { stamp, disk, ...options });
      await claim(fork.path);
      return fork;
    },
    presence: (paths) => presence(paths, { ...signs, lastBytes: own.lastBytes, futures }),
    own: (path) => claim(resolve(path)),
    recover: () => windows.recoverLocks((path) => removeStaleProgramLocks(path, disk)),
    prune: (maxAgeMs) => windows.prune(maxAgeMs),
  };
}

/**
 * Migrates one file with a writer of its own; see {@link Writer.migrate}.
 *
 * @throws {SessionError} as {@link Writer.migrate}.
 */
export async function migrate(path: string, options: SubmitOptions = {}): Promise<Migrated> {
  const migrated = await createWriter().migrate(path, options);
  return { path: migrated.path, backupPath: migrated.backupPath };
}

/** Returns the session after a write. A new title changes the start of the file, which requires a full read. */
function sessionAfter(session: Session, decision: ChangePlan, options: SubmitOptions): Promise<Session> {
  return decision.titleSlot ? readSession(session.path, readOptions(options)) : followSession(session, readOptions(options));
}

/**
 * Derives the session from the written text.
 *
 * @throws {SessionError} `damaged` if the file is gone, although the lines were just found in it.
 */
function withoutReading(session: Session, text: string, error: unknown): Session {
  if (error instanceof SessionError && error.code === 'not-found') throw goneError(session.path);
  return withAppendedLines(session, text);
}

/**
 * True if an attempt failed only because the file grew. Files that were replaced or changed otherwise are left to the
 * person.
 */
async function onlyGrew(error: unknown, path: string, looked: InspectedSession | undefined): Promise<boolean> {
  if (!(error instanceof SessionError && error.code === 'changed')) return false;
  return looked === undefined || hasGrown(looked.version, await readFileVersion(path));
}
