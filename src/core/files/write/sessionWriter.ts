/**
 * The only way to change existing session files. Each change is checked, planned, written once and verified; changes of
 * one file run one after the other. The writer records its own writes to distinguish them from those of other programs.
 */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { planChange, type Change, type ChangePlan } from '../../format/write/change';
import type { Stamp } from '../../format/write/sessionNames';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { appendText } from './appendText';
import { withDeadline } from '../io/deadline';
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

/** See `PreWriteOptions`; `dialect` is what the root says the file is, if the file itself doesn't tell. */
export type SubmitOptions = PreWriteOptions;

export interface Submitted {
  /** The last line that was written. */
  readonly entryId: string;
  /** Another program wrote at the same moment; both are there. */
  readonly concurrent?: true;
  /** The session as the decision was made from it. */
  readonly before: Session;
  /** The session as it is now. */
  readonly session: Session;
}

export interface Migrated {
  readonly path: string;
  readonly backupPath: string;
}

/** A file that may be moved or replaced now. */
export interface GuardedFile {
  readonly path: string;
  readonly version: FileVersion;
  /** Absent if the file is no session that can be read. */
  readonly session?: Session;
}

export interface Writer {
  /**
   * Applies a change to a session file.
   *
   * @throws {SessionError} `live`, `unsure`, `version`, `read-only`, `torn`, `changed`, `unknown-entry`, `invalid`,
   * `not-found`, `not-a-session`, `permission`, `no-space`: every byte is as it was. `damaged`: it is not.
   */
  submit(path: string, change: Change, options?: SubmitOptions): Promise<Submitted>;
  /**
   * Brings a file of version 1 or 2 to version 3 in its place; the old one stays as `<file>.v1.bak` (or `.v2.bak`).
   *
   * @throws {SessionError} `already-current`, and as `submit`.
   */
  migrate(path: string, options?: SubmitOptions): Promise<Migrated & { readonly written: FileDigest }>;
  /**
   * Does something with a file as a whole under the same guard: in its turn, while nobody else has it, holding its
   * program's lock.
   *
   * @throws {SessionError} `live`, `unsure`, `not-found`, `permission`; and what `work` throws.
   */
  guarded<T>(path: string, work: (file: GuardedFile) => Promise<T>, options?: SubmitOptions): Promise<T>;
  /** See `forkSession`. The new file is known to be ours. */
  forkSession(path: string, options?: ForkOptions): Promise<Fork>;
  /** See `presence`; what this writer wrote is no sign of somebody else. */
  presence(paths: readonly string[]): Promise<Map<string, Presence>>;
  /** Says that a file which was just made is ours. */
  own(path: string): Promise<void>;
  /** Takes away the locks that writers of ours left when they were killed. To be called at the start. */
  recover(): Promise<void>;
  /** Forgets which bytes were ours of files that were written to longer ago. */
  prune(maxAgeMs: number): Promise<void>;
}

/** Ids and times may be given alone: a `Stamp` is such options. */
export interface WriterOptions extends Partial<Stamp> {
  /**
   * A folder of ours that all windows of the extension share. With it, writers of several processes take turns at a
   * file, and know each other's bytes; without it, only those of one writer are told from others'.
   */
  readonly locksDir?: string;
  readonly disk?: Disk;
  /** What the signs of others are looked for in. */
  readonly signs?: Pick<PresenceOptions, 'system' | 'crumbs' | 'about' | 'named' | 'processes'>;
}

/** Number of attempts beside another program that writes. Then the change is refused. */
const ATTEMPTS = 10;

/** Makes a writer. Whoever changes the same files in one process should share one. */
export function createWriter(options: WriterOptions = {}): Writer {
  const { locksDir, disk = realDisk } = options;
  const signs = { named: new UntrustedPaths(), ...options.signs };
  const system = systemStamp();
  const stamp: Stamp = { id: options.id ?? system.id, now: options.now ?? system.now };
  const windows = locksDir === undefined ? singleProcessLocks : createCrossWindowLocks(locksDir);
  const queues = new Map<string, Promise<unknown>>();
  const own = createOwnWrites(windows, keyOf);
  const futures = createFutureMtimeCheck();
  const looking = createPreWriteCheck({ own, keyOf, signs: { ...signs, futures } });

  let named: Promise<unknown> = Promise.resolve();

  const enqueue = async <T>(given: string, work: (path: string) => Promise<T>): Promise<T> => {
    const path = resolve(given);
    // Changes keep the order of their calls, however long it takes to resolve their files.
    const naming = Promise.all([named, keyOf(path)]);
    named = naming;
    const [, key] = await naming;
    const turn = (queues.get(key) ?? Promise.resolve()).then(() => windows.withFileLock(key, () => work(path)));
    const settled = turn.catch(() => undefined);
    queues.set(key, settled);
    try {
      return await turn;
    } finally {
      if (queues.get(key) === settled) queues.delete(key);
    }
  };

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

  const writeAt = async (path: string, change: Change, options: SubmitOptions, { session, version, foreignMs }: InspectedSession): Promise<Submitted> => {
    const decision = planChange(session, change, stamp);
    return withProgramLock(path, session.dialect, async () => {
      const text = serializeLines(decision.lines);
      const done = await appendText(session, version, text, decision.titleSlot, disk);
      // The write has succeeded, even if the file can't be read again now.
      const after = await sessionAfter(session, decision, options).catch((error: unknown) => withoutReading(session, text, error));
      if (!after.byId.has(decision.entryId)) throw replacedError(path);
      const kept = { entryId: decision.entryId, session: after, ...done, ...(await preserveLeaf({ session, change, decision, done, after }, { stamp, disk })) };
      await own.remember(await keyOf(path), { version: kept.version, foreignMs: done.concurrent ? Date.now() : foreignMs, ...(done.concurrent ? {} : { session: after }) });
      return { entryId: kept.entryId, ...(done.concurrent ? { concurrent: true as const } : {}), before: session, session: kept.session };
    }, disk);
  };

  const guarded = async <T>(path: string, work: (file: GuardedFile) => Promise<T>, options: SubmitOptions): Promise<T> => {
    const version = await readFileVersion(path);
    // A file that can't be read has no program whose lock could be acquired.
    const session = await readSession(path, readOptions(options)).catch(() => undefined);
    await looking.assertNotInUse(path, session, options.force === true);
    const result = await (session ? withProgramLock(path, session.dialect, () => work({ path, version, session }), disk) : work({ path, version }));
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

/** Migrates one file; see `Writer.migrate`. */
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

/**
 * Milliseconds that resolving a path may take. After that, the path itself is used; later calls have their own limits.
 */
const REALPATH_TIMEOUT_MS = 2000;

/** Returns the key of a file's queue: its real path, so that all its names share one queue. */
function keyOf(path: string): Promise<string> {
  return withDeadline(realpath(path), REALPATH_TIMEOUT_MS, () => new Error('no answer in time')).catch(() => path);
}
