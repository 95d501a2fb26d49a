/** Archives sessions and brings them back, under the writer's guard. FORMAT section 6, rule 11. */
import { resolve } from 'node:path';
import { defined } from '../../format/values/defined';
import { SessionError } from '../../format/entry/problem';
import { unarchivedPath, type Compression } from '../../format/session/archivedSession';
import type { Session } from '../../format/session/session';
import type { Disk } from '../io/disk';
import { changedError, readFileVersion, sameVersion } from '../read/versions/compareVersions';
import { readSession, type FileVersion } from '../read/sessionFile';
import { ageOf } from '../storage/processIdentity';
import type { FileQueue } from '../write/fileQueue';
import type { SubmitOptions } from '../write/submitChange';
import { assertArchivable, assertOriginalRemoved } from './archivable';
import { archiveFile, unarchiveFile } from './archiveFile';
import { archivePathOf } from './archivePaths';
import { endInterrupted } from './endInterrupted';

/** The path of a session, and the path of its archive. Only one of the files exists. */
export interface ArchivePaths {
  readonly path: string;
  readonly archive: string;
}

/** Options of {@link Archiver.archive}. */
export interface ArchiveOptions extends SubmitOptions {
  /** By default the best format that this version of Node supports. */
  readonly compression?: Compression;
  /** The file's version when the clean-up was planned; a file with another version is left with `changed`. */
  readonly version?: FileVersion;
  /** The id shared by the journal's records of one clean-up. */
  readonly group?: string;
}

/** Replaces sessions by archives, and archives by sessions. */
export interface Archiver {
  /**
   * Replaces a session by a compressed archive in the same folder. FORMAT section 6, rule 11.
   *
   * @throws {SessionError} as `guarded`, `assertArchivable` and `archiveFile`.
   */
  archive(path: string, options?: ArchiveOptions): Promise<ArchivePaths>;
  /** Replaces an archive by its session. @throws {SessionError} as `unarchiveFile` */
  unarchive(archive: string): Promise<ArchivePaths>;
  /**
   * Ends an archiving that was interrupted, or whose original was kept; see {@link endInterrupted}.
   *
   * @param keepMs the age in milliseconds at which an original that no program has open is removed; by default 0.
   */
  endArchiving(archived: ArchivePaths, keepMs?: number): ReturnType<typeof endInterrupted>;
}

/** The guard of archives, which a writer has in its own. */
interface ArchiveGuard {
  /**
   * Runs `work` on an archive as a whole, while nothing is archived or unarchived at its paths.
   *
   * @throws {SessionError} `live` if the original is still kept, `not-found` or `permission`.
   * @throws the errors of `work`.
   */
  readonly guardedArchive: <T>(archive: string, work: (file: GuardedArchive) => Promise<T>) => Promise<T>;
}

/** The parts of a writer that an archiver uses. */
interface ArchiverTools {
  readonly enqueue: FileQueue;
  /** Runs `work` on a file that no other program uses. */
  readonly guarded: <T>(path: string, work: (file: GuardedSession) => Promise<T>, options: SubmitOptions) => Promise<T>;
  /** Records the file as written by this writer. */
  readonly claim: (path: string) => Promise<void>;
  readonly assertClosed: (path: string, name: string) => Promise<void>;
  readonly disk: Disk;
}

/** An archive that may be moved now. */
interface GuardedArchive {
  readonly path: string;
  /** The version of the archive's file, not of what's in it. */
  readonly version: FileVersion;
  /** Absent if it can't be read. */
  readonly session?: Session;
}

interface GuardedSession extends Omit<GuardedArchive, 'path'> {
  readonly assertClosed: (name: string) => Promise<void>;
}

export function createArchiver({ enqueue, guarded, claim, assertClosed, disk }: ArchiverTools): Archiver & ArchiveGuard {
  const isClosed = (path: string, name: string): Promise<boolean> =>
    assertClosed(path, name).then(
      () => true,
      () => false,
    );

  return {
    archive: (path, { compression, version: planned, ...options } = {}) =>
      enqueue(path, (full) =>
        guarded(
          full,
          async ({ version, session, assertClosed: assertFileClosed }) => {
            if (!session) throw notReadableError(full);
            if (planned && !sameVersion(planned, version)) throw changedError(full);
            const { mode } = await disk.stat(full);
            await assertArchivable(full, session.dialect, { size: version.size, mode });
            const archive = archivePathOf(full, compression);
            // A program that can't be seen may have the session open, and continue to write to the file.
            await archiveFile(full, version, archive, { assertClosed: assertFileClosed, isKept: options.force === true, disk });
            return { path: full, archive };
          },
          options,
        ),
      ),
    unarchive: (given) => {
      const archive = resolve(given);
      return enqueue(unarchivedPath(archive), async () => {
        const path = await unarchiveFile(archive, disk);
        await claim(path);
        return { path, archive };
      });
    },
    guardedArchive: (given, work) => {
      const path = resolve(given);
      return enqueue(unarchivedPath(path), async () => {
        const version = await readFileVersion(path);
        await assertOriginalRemoved(path);
        const session = await readSession(path).catch(() => undefined);
        return work({ path, version, ...defined({ session }) });
      });
    },
    endArchiving: ({ path, archive }, keepMs = 0) =>
      enqueue(path, () => {
        const mayRemove = async (hidden: string): Promise<boolean> => {
          // The time at which it got this name.
          const { ctimeMs } = await disk.stat(hidden);
          return ageOf(ctimeMs) >= keepMs && isClosed(path, hidden);
        };
        return endInterrupted(path, archive, { mayRemove, disk });
      }),
  };
}

const notReadableError = (path: string): SessionError =>
  new SessionError('not-a-session', 'This session can’t be read, so it isn’t archived: {path}', { path });
