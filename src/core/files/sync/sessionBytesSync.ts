/** The synchronous form of `sessionBytes`, for worker threads; see `regularFileSync`. */
import { closeSync, lstatSync, readSync, statSync } from 'node:fs';
import { isArchivedSession } from '../../format/session/archivedSession';
import { archiveKey, MAX_ARCHIVE_BYTES, unpackArchiveSync } from '../database/lines/coldArchive';
import { splitDatabasePath, type DatabasePath } from '../database/databaseSession';
import { readDatabaseSync } from '../database/thread/readDatabase';
import { DatabaseSession, type LocatedArchive } from '../database/openedSession';
import { isMissing } from '../io/fileErrors';
import { readAtSync, type ByteSourceSync } from './readAtSync';
import { openRegularFileSync } from './regularFileSync';
import { fileVersion, type FileVersion } from '../read/versions/fileVersion';
import { NO_PROBLEMS, type OpenedBytes } from '../read/bytes/sessionBytes';
import { openCompressedSessionSync, openUnpackedSync } from './unpackedBytesSync';

export interface SessionBytesSync<File = ByteSourceSync> extends OpenedBytes {
  readonly file: File;
  /** Returns the size, which is a guess for a session in a database: only the last `bytes` bytes can be read then. */
  readonly locateEnd: (bytes: number) => number;
}

/** Opens an archive of OpenClaw. */
type OpenArchive<File> = (located: {
  /** The path of the session. */
  readonly path: string;
  readonly archive: LocatedArchive;
  /** Identifies the lines of the archive. */
  readonly key: () => string;
  /** Reads the whole archive; `undefined` if it's missing. */
  readonly read: () => Buffer | undefined;
}) => File;

const openArchiveSync: OpenArchive<ByteSourceSync> = ({ path, archive, key, read }) =>
  openUnpackedSync(key(), () => unpackArchiveSync(path, archive, read()));

/** Opens a session for reading. The caller closes its file. @throws as `openSessionBytes`. */
export function openSessionBytesSync(path: string): SessionBytesSync {
  if (isArchivedSession(path)) {
    const opened = openCompressedSessionSync(path);
    const { size } = opened.file;
    return { ...opened, size, locateEnd: () => size, problems: NO_PROBLEMS };
  }
  return openStoredBytesSync(path, openArchiveSync);
}

/** Opens a session that isn't a compressed file; see {@link openSessionBytesSync}. */
export function openStoredBytesSync<File>(path: string, openArchive: OpenArchive<File>): SessionBytesSync<ByteSourceSync | File> {
  try {
    const { fd, stats } = openRegularFileSync(path);
    const version = fileVersion(stats);
    const file: ByteSourceSync = {
      read: (bytes, at, length, position) => readSync(fd, bytes, at, length, position),
      close: () => closeSync(fd),
    };
    return { file, size: version.size, locateEnd: () => version.size, version, problems: NO_PROBLEMS };
  } catch (error) {
    const at = isMissing(error) ? findDatabasePathSync(path) : undefined;
    if (!at) throw error;
    return openDatabaseSession(path, at, openArchive);
  }
}

/** Returns the parts of the path of a session in a database: its folder is a file. `undefined` for any other path. */
function findDatabasePathSync(path: string): DatabasePath | undefined {
  const parts = splitDatabasePath(path);
  const stats = parts && statSync(parts.database, { throwIfNoEntry: false });
  return stats && !stats.isDirectory() ? parts : undefined;
}

function openDatabaseSession<File>(
  path: string,
  { database, id }: DatabasePath,
  openArchive: OpenArchive<File>,
): SessionBytesSync<ByteSourceSync | File> {
  const [found] = readDatabaseSync(database, (view) => view.open([id], false));
  const session = new DatabaseSession(path, database, found);
  const { archive } = session;
  const file: ByteSourceSync | File = archive
    ? openArchive({
        path,
        archive,
        key: () => archiveKey(path, archive, archiveVersion(archive)),
        read: () => readArchive(database, id, archive),
      })
    : {
        read: (bytes, at, length, position) =>
          readDatabaseSync(database, (view) => session.read(view, bytes.subarray(at, at + length), position)),
        expectLine: (line, offset) => session.expectLine(line, offset),
        close: () => undefined,
      };
  const version = (): FileVersion => session.version ?? readDatabaseSync(database, (view) => session.measure(view));
  return {
    file,
    // Getters, because both are known without further reading once all lines were read.
    get size() {
      return version().size;
    },
    get version() {
      return version();
    },
    locateEnd: (bytes) => readDatabaseSync(database, (view) => session.locateEnd(view, bytes)),
    facts: session.facts,
    problems: () => session.problems(),
  };
}

function archiveVersion({ path }: LocatedArchive): FileVersion | undefined {
  const stats = path === undefined ? undefined : statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && fileVersion(stats);
}

function readArchive(database: string, id: string, { path }: LocatedArchive): Buffer | undefined {
  if (path === undefined) return readDatabaseSync(database, (view) => view.archive(id, MAX_ARCHIVE_BYTES));
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  const { fd, stats } = openRegularFileSync(path, { followLink: false });
  try {
    // One byte more than an archive may have, which then isn't the stored one.
    return readAtSync(fd, 0, Math.min(Number(stats.size), MAX_ARCHIVE_BYTES + 1));
  } finally {
    closeSync(fd);
  }
}
