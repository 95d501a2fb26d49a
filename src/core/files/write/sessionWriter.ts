/**
 * The only way to change existing session files. Each change is checked, planned, written once and verified; changes of
 * one file run one after the other. The writer records its own writes to distinguish them from writes by other
 * programs.
 */
import { resolve } from 'node:path';
import type { Change } from '../../format/write/change';
import type { Stamp } from '../../format/write/sessionNames';
import { archivedError, canUnarchive, isArchivedSession } from '../../format/session/archivedSession';
import type { Session } from '../../format/session/session';
import { createArchiver, type Archiver } from '../archive/archiver';
import type { CreationTools } from './creationTools';
import { createFileQueue, keyOf } from './fileQueue';
import { forkSession, type Fork, type ForkOptions } from './forkSession';
import { realDisk, type Disk } from '../io/disk';
import { createRootGuard, isChangeable, type RootGuard } from '../locate/readOnlyRoots';
import type { Root } from '../locate/roots';
import { removeStaleProgramLocks, withProgramLock } from './writeGuard';
import { createPreWriteCheck, readOptions } from './preWriteCheck';
import { migrateFile, migrationRefusal } from '../migration/migrateFile';
import { UntrustedPaths } from '../io/untrustedPaths';
import type { FileDigest } from '../io/atomicFile';
import { noMoveLog, type MoveLog } from './moveLog';
import { createOwnWrites } from './ownWrites';
import { presence, type Presence, type PresenceOptions } from '../presence/presence';
import { readSession, type FileVersion } from '../read/sessionFile';
import { createFutureMtimeCheck } from '../presence/recentWrites';
import { createSubmit, type SubmitOptions, type SubmitResult } from './submitChange';
import { systemStamp } from './systemStamp';
import { readFileVersion } from '../read/versions/compareVersions';
import { singleProcessLocks, createCrossWindowLocks } from '../storage/crossWindowLocks';

/** Result of a migration. */
export interface MigratedSession {
  /** The path that was given. */
  readonly path: string;
  /** Path of the old file. */
  readonly backupPath: string;
}

/** The command that made a new file. */
type CreationKind = 'import' | 'recover';
/** A file that was created, and the digest of its content. */
interface CreatedFile {
  readonly path: string;
  readonly written: FileDigest;
}

/** A file that may be moved or replaced now. */
export interface GuardedFile {
  readonly path: string;
  readonly version: FileVersion;
  /** Absent if the file isn't a readable session. */
  readonly session?: Session;
  /** Checks that no other process has the file open, by the name that it has now. @throws {SessionError} `live` */
  readonly assertClosed: (name: string) => Promise<void>;
}

/**
 * The only way to change existing session files. Changes of one file run one after the other, in the order of the
 * calls. FORMAT section 6.
 */
export interface Writer extends Archiver {
  /**
   * Applies a change to a session file, in one write. FORMAT section 6.
   *
   * @throws {SessionError} `live`, `unsure`, `version`, `read-only`, `torn`, `changed`, `unknown-entry`, `invalid`,
   * `not-found`, `not-a-session`, `permission` or `no-space`: every byte is unchanged. `damaged`: the file has changed,
   * and the sentence names the place.
   */
  submit(path: string, change: Change, options?: SubmitOptions): Promise<SubmitResult>;
  /**
   * Migrates a file of version 1 or 2 to version 3 in place. The old file is kept as `<file>.v1.bak` or `.v2.bak`.
   * FORMAT section 6, rule 5.
   *
   * @returns the paths, and the digest of the new file.
   * @throws {SessionError} `already-current`, and as `submit`.
   */
  migrate(path: string, options?: SubmitOptions): Promise<MigratedSession & { readonly written: FileDigest }>;
  /**
   * Runs `work` on a file as a whole under the same guard as changes: one at a time, while no other program uses the
   * file, and holding its program's lock.
   *
   * @throws {SessionError} `live`, `unsure`, `not-found` or `permission`.
   * @throws the errors of `work`.
   */
  guarded<T>(path: string, work: (file: GuardedFile) => Promise<T>, options?: SubmitOptions): Promise<T>;
  /**
   * As {@link guarded}, for work that takes the whole file away. So it also takes archives, except for oh-my-pi's.
   *
   * @throws {SessionError} `live` for an archive whose original is still kept.
   */
  guardedRemoval<T>(
    path: string,
    work: (file: Pick<GuardedFile, 'path' | 'version' | 'session'>) => Promise<T>,
    options?: SubmitOptions,
  ): Promise<T>;
  /** Forks a session; see {@link forkSession}. The new file counts as written by this writer. */
  forkSession(path: string, options?: ForkOptions): Promise<Fork>;
  /**
   * Creates a session file and registers the write as this writer's own.
   *
   * @param source the file that it's made from, which isn't changed
   */
  create<T extends CreatedFile>(kind: CreationKind, source: string, make: (tools: CreationTools) => Promise<T>): Promise<T>;
  /** Returns the presence of other programs; see {@link presence}. This writer's own writes aren't signs of one. */
  presence(paths: readonly string[], options?: Pick<PresenceOptions, 'folders'>): Promise<Map<string, Presence>>;
  /**
   * Begins a record of sessions that are about to move. Their forks are searched for in the roots. Without a journal,
   * nothing is recorded.
   */
  beginMoves(roots: readonly Root[]): Promise<MoveLog>;
  /** Checks that a change of a path changes no read-only root. All methods check the paths that they're given. */
  readonly assertChangeable: RootGuard;
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
  /** Returns the roots; nothing is written below read-only ones. */
  readonly roots?: () => readonly Root[];
  /** Sources for the signs of other programs. */
  readonly signs?: Pick<PresenceOptions, 'system' | 'crumbs' | 'about' | 'named' | 'processes'>;
}

/** Creates a writer. Code that changes the same files in one process should share one. FORMAT section 6. */
export function createWriter(options: WriterOptions = {}): Writer {
  const { locksDir, disk = realDisk, roots = () => [] } = options;
  const signs = { named: new UntrustedPaths(), ...options.signs };
  const system = systemStamp();
  const stamp: Stamp = { id: options.id ?? system.id, now: options.now ?? system.now };
  const windows = locksDir === undefined ? singleProcessLocks : createCrossWindowLocks(locksDir);
  const assertChangeable = createRootGuard(roots);
  const enqueue = createFileQueue(windows, assertChangeable);
  const own = createOwnWrites(windows, keyOf);
  const futures = createFutureMtimeCheck();
  const preWriteCheck = createPreWriteCheck({ own, keyOf, signs: { ...signs, futures } });
  const submit = createSubmit({ preWriteCheck, own, stamp, disk });

  const guarded = async <T>(path: string, work: (file: GuardedFile) => Promise<T>, options: SubmitOptions): Promise<T> => {
    const version = await readFileVersion(path);
    // A file that can't be read has no program whose lock could be acquired.
    const session = await readSession(path, readOptions(options)).catch(() => undefined);
    if (session && isArchivedSession(path, session.dialect)) throw archivedError(path);
    await preWriteCheck.assertNotInUse(path, session, options);
    const assertClosed = (name: string): Promise<void> => preWriteCheck.assertClosed(path, name);
    const result = await (session
      ? withProgramLock(path, session.dialect, () => work({ path, version, session, assertClosed }), disk)
      : work({ path, version, assertClosed }));
    await claim(path).catch(async () => own.forget(await keyOf(path)));
    return result;
  };

  const claim = async (path: string): Promise<void> => {
    await own.remember(await keyOf(path), { version: await readFileVersion(path), foreignMs: 0 });
  };

  const { guardedArchive, ...archiver } = createArchiver({
    enqueue,
    guarded,
    claim,
    assertClosed: (path, name) => preWriteCheck.assertClosed(path, name),
    disk,
  });

  return {
    submit: (path, change, options = {}) => enqueue(path, (full) => submit(full, change, options)),
    migrate: (path, options = {}) =>
      enqueue(path, async (full) => {
        // For a link its target is migrated, and the link stays.
        const target = await keyOf(full);
        const { session, version } = await preWriteCheck.inspect(target, options);
        const refusal = migrationRefusal(session);
        if (refusal) throw refusal;
        const { backupPath, written } = await withProgramLock(target, session.dialect, () => migrateFile(session, version, disk), disk);
        await claim(target);
        return { path: full, backupPath, written };
      }),
    guarded: (path, work, options = {}) => enqueue(path, (full) => guarded(full, work, options)),
    guardedRemoval: (path, work, options = {}) =>
      canUnarchive(path) ? guardedArchive(path, work) : enqueue(path, (full) => guarded(full, work, options)),
    forkSession: async (path, options = {}) => {
      const fork = await forkSession(path, { stamp, disk, assertChangeable, ...options });
      await claim(fork.path);
      return fork;
    },
    create: async (_kind, _source, make) => {
      const created = await make({ stamp, disk, assertChangeable });
      await claim(created.path);
      return created;
    },
    presence: (paths, options) => presence(paths, { ...signs, ...options, lastBytes: own.lastBytes, futures }),
    ...archiver,
    beginMoves: () => Promise.resolve(noMoveLog),
    own: (path) => claim(resolve(path)),
    assertChangeable,
    recover: () =>
      windows.recover(async (path) => {
        // Programs of another machine may have a folder that is shared.
        if (await isChangeable(assertChangeable, path)) await removeStaleProgramLocks(path, disk);
      }),
    prune: (maxAgeMs) => windows.prune(maxAgeMs),
  };
}

/**
 * Migrates one file with its own writer; see {@link Writer.migrate}.
 *
 * @throws {SessionError} as {@link Writer.migrate}.
 */
export async function migrate(path: string, options: SubmitOptions = {}): Promise<MigratedSession> {
  const migrated = await createWriter().migrate(path, options);
  return { path: migrated.path, backupPath: migrated.backupPath };
}
