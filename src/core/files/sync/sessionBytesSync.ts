/** The synchronous form of `sessionBytes`, for worker threads; see `regularFileSync`. */
import { closeSync, readSync, statSync } from 'node:fs';
import { problem, type Problem } from '../../format/entry/problem';
import { isArchivedSession } from '../../format/session/archivedSession';
import { ARCHIVED, type OutsideFacts } from '../../format/session/sessionReader';
import { archiveKey, archivePath, MAX_ARCHIVE_BYTES, unpackArchive } from '../database/coldArchive';
import { archiveOf, outsideFacts, requireOpened, sessionVersion, splitDatabasePath, type DatabasePath } from '../database/databaseSession';
import { readDatabaseSync } from './openDatabasesSync';
import type { ColdArchive } from '../database/storedSessions';
import type { ByteSourceSync } from './byteSourceSync';
import { isMissing } from '../io/fileErrors';
import { readAtSync } from './readAtSync';
import { openRegularFileSync } from './regularFileSync';
import { fileVersion, type FileVersion } from '../read/fileVersion';
import { openGzipSessionSync, openUnpackedSync } from './unpackedBytesSync';

export interface SessionBytesSync {
  readonly file: ByteSourceSync;
  /** The number of bytes. The version of a compressed file has the size of the file instead. */
  readonly size: number;
  readonly version: FileVersion;
  /** Facts that aren't in the lines. */
  readonly facts?: OutsideFacts;
  /** Returns the problems of the lines that were read so far and aren't what they were. */
  readonly problems: () => readonly Problem[];
}

/** Opens a session for reading. The caller closes its file. @throws as `openSessionBytes`. */
export function openSessionBytesSync(path: string): SessionBytesSync {
  if (isArchivedSession(path)) {
    const opened = openGzipSessionSync(path);
    return { ...opened, size: opened.file.size, facts: ARCHIVED, problems: () => [] };
  }
  try {
    const { fd, stats } = openRegularFileSync(path);
    const version = fileVersion(stats);
    const file: ByteSourceSync = {
      read: (bytes, at, length, position) => readSync(fd, bytes, at, length, position),
      close: () => closeSync(fd),
    };
    return { file, size: version.size, version, problems: () => [] };
  } catch (error) {
    const at = isMissing(error) ? findDatabasePathSync(path) : undefined;
    if (!at) throw error;
    return openDatabaseSession(path, at);
  }
}

/** Returns the parts of the path of a session in a database: its folder is a file. `undefined` for any other path. */
export function findDatabasePathSync(path: string): DatabasePath | undefined {
  const parts = splitDatabasePath(path);
  const stats = parts && statSync(parts.database, { throwIfNoEntry: false });
  return stats && !stats.isDirectory() ? parts : undefined;
}

function openDatabaseSession(path: string, { database, id }: DatabasePath): SessionBytesSync {
  const [found] = readDatabaseSync(database, (view) => view.open([id]));
  const opened = requireOpened(found, path);
  const version = sessionVersion(opened);
  const known = { size: version.size, version, facts: outsideFacts(database, opened) };
  const archive = archiveOf(opened);
  if (archive) {
    const { fileName } = archive;
    const stats = fileName === undefined ? undefined : statSync(archivePath(database, fileName), { bigint: true, throwIfNoEntry: false });
    const file = openUnpackedSync(archiveKey(archive, stats && fileVersion(stats)), () => readArchive(path, database, id, archive));
    return { ...known, file, problems: () => [] };
  }
  const damaged = new Map<number, Problem>();
  const file: ByteSourceSync = {
    read: (bytes, at, length, position) => {
      const filled = readDatabaseSync(database, (view) => view.read(opened, bytes.subarray(at, at + length), position));
      for (const [line, damage] of filled.damaged) damaged.set(line, problem(damage, { line }));
      return filled.count;
    },
    close: () => undefined,
  };
  return { ...known, file, problems: () => [...damaged.values()] };
}

function readArchive(path: string, database: string, id: string, archive: ColdArchive): Buffer {
  const { fileName } = archive;
  const bytes =
    fileName === undefined
      ? readDatabaseSync(database, (view) => view.archive(id, MAX_ARCHIVE_BYTES))
      : readArchiveFile(archivePath(database, fileName));
  return unpackArchive(path, archive, bytes);
}

function readArchiveFile(path: string): Buffer | undefined {
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  const { fd, stats } = openRegularFileSync(path);
  try {
    // One byte more than an archive may have, which then isn't the stored one.
    return readAtSync(fd, 0, Math.min(Number(stats.size), MAX_ARCHIVE_BYTES + 1));
  } finally {
    closeSync(fd);
  }
}
