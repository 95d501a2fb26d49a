/** The synchronous form of `sessionBytes`, for worker threads; see `regularFileSync`. */
import { closeSync, readSync, statSync } from 'node:fs';
import { problem, type Problem } from '../../format/entry/problem';
import type { OutsideFacts } from '../../format/session/sessionReader';
import { archivePath, MAX_ARCHIVE_BYTES, unpackArchive } from '../database/coldArchive';
import { archiveOf, outsideFacts, requireOpened, sessionVersion, splitDatabasePath, type DatabasePath } from '../database/databaseSession';
import { readDatabaseSync } from '../database/openDatabasesSync';
import type { ColdArchive } from '../database/storedSessions';
import type { ByteSourceSync } from '../io/byteSourceSync';
import { isMissing } from '../io/fileErrors';
import { readAtSync } from '../io/readAtSync';
import { openRegularFileSync } from '../io/regularFileSync';
import { fileVersion, type FileVersion } from './fileVersion';

export interface SessionBytesSync {
  readonly file: ByteSourceSync;
  readonly version: FileVersion;
  /** Facts that aren't in the lines. */
  readonly facts?: OutsideFacts;
  /** Returns the problems of the lines that were read so far and aren't what they were. */
  readonly problems: () => readonly Problem[];
}

/** Opens a session for reading. The caller closes its file. @throws as `openSessionBytes`. */
export function openSessionBytesSync(path: string): SessionBytesSync {
  try {
    const { fd, stats } = openRegularFileSync(path);
    const file: ByteSourceSync = {
      read: (bytes, at, length, position) => readSync(fd, bytes, at, length, position),
      close: () => closeSync(fd),
    };
    return { file, version: fileVersion(stats), problems: () => [] };
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
  const known = { version: sessionVersion(opened), facts: outsideFacts(database, opened) };
  const archive = archiveOf(opened);
  if (archive) return { ...known, file: archiveSource(readArchive(path, database, id, archive)), problems: () => [] };
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

const archiveSource = (lines: Buffer): ByteSourceSync => ({
  read: (bytes, at, length, position) => lines.copy(bytes, at, position, position + length),
  close: () => undefined,
});

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
