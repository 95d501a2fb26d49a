/** Opens the bytes of a session, wherever they are: a file, a compressed one, or rows of a database that are read as a file. */
import { stat } from 'node:fs/promises';
import { problem, SessionError, type Problem } from '../../format/entry/problem';
import { isArchivedSession } from '../../format/session/archivedSession';
import { ARCHIVED, type OutsideFacts } from '../../format/session/sessionReader';
import { archiveKey, archivePath, MAX_ARCHIVE_BYTES, unpackArchive } from '../database/coldArchive';
import { archiveOf, findDatabasePath, outsideFacts, requireOpened, sessionVersion, type DatabasePath } from '../database/databaseSession';
import type { OpenedSession } from '../database/databaseView';
import { readDatabase } from '../database/openDatabases';
import type { ColdArchive } from '../database/storedSessions';
import type { ByteSource } from '../io/byteSource';
import { isMissing } from '../io/fileErrors';
import { readAt } from '../io/readAt';
import { readSmallFile } from '../io/smallFile';
import { openRegularFile, readRanges, type OpenRegularOptions, type ReadRange } from '../io/regularFile';
import { fileVersion, type FileVersion } from './fileVersion';
import { openGzipSession, UnpackedBytes } from './unpackedBytes';

export interface SessionBytes {
  readonly file: ByteSource;
  /** The number of bytes. The version of a compressed file has the size of the file instead. */
  readonly size: number;
  readonly version: FileVersion;
  /** Permission bits for a copy. */
  readonly mode: number;
  /** Facts that aren't in the lines. */
  readonly facts?: OutsideFacts;
  /** Returns the problems of the lines that were read so far and aren't what they were. */
  readonly problems: () => readonly Problem[];
}

/** The mode of a copied session: only its owner can read it. */
const PRIVATE_MODE = 0o600;

/**
 * Opens a session for reading. The caller closes its file.
 *
 * @throws {SessionError} `not-a-session`, `not-found`, `changed`, or `invalid` for an archive that is too large.
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function openSessionBytes(path: string, options: Pick<OpenRegularOptions, 'isKnownRegular'> = {}): Promise<SessionBytes> {
  if (isArchivedSession(path)) return openArchivedSession(path);
  try {
    const { file, stats } = await openRegularFile(path, options);
    const version = fileVersion(stats);
    return { file, size: version.size, version, mode: Number(stats.mode) & 0o777, problems: NO_PROBLEMS };
  } catch (error) {
    const at = isMissing(error) ? await findDatabasePath(path) : undefined;
    if (!at) throw error;
    return openDatabaseSession(path, at);
  }
}

const NO_PROBLEMS = (): readonly Problem[] => [];

async function openArchivedSession(path: string): Promise<SessionBytes> {
  const opened = await openGzipSession(path);
  return { ...opened, size: opened.file.size, facts: ARCHIVED, problems: NO_PROBLEMS };
}

/**
 * Reads all bytes of a session that isn't a file of its own lines.
 *
 * @throws {SessionError} as `readSession`; `invalid` if there are more than `maxBytes`.
 */
export async function readWholeSession(path: string, maxBytes: number): Promise<Buffer> {
  const { file, size } = await openSessionBytes(path);
  try {
    if (size > maxBytes)
      throw new SessionError('invalid', 'This file is too large to read (limit: {limit} bytes): {path}', {
        path,
        limit: maxBytes,
      });
    return await readAt(file, 0, size);
  } finally {
    await file.close();
  }
}

/** The parts of a session that were read, and its number of bytes. */
export interface SessionParts {
  readonly size: number;
  readonly parts: readonly Buffer[];
}

/**
 * Reads parts of a session that the caller has just found; see {@link readRanges}.
 *
 * @param size the size of the version that was found.
 * @param rangesOf returns the parts for a number of bytes.
 */
export async function readSessionRanges(
  path: string,
  size: number,
  rangesOf: (size: number) => readonly ReadRange[],
): Promise<SessionParts> {
  if (isArchivedSession(path)) return readOpened(await openArchivedSession(path), rangesOf);
  try {
    return { size, parts: await readRanges(path, rangesOf(size)) };
  } catch (error) {
    const at = isMissing(error) ? await findDatabasePath(path) : undefined;
    if (!at) throw error;
    return readOpened(await openDatabaseSession(path, at), rangesOf);
  }
}

async function readOpened({ file, size }: SessionBytes, rangesOf: (size: number) => readonly ReadRange[]): Promise<SessionParts> {
  const parts: Buffer[] = [];
  for (const [offset, length, room] of rangesOf(size)) parts.push(await readAt(file, offset, length, room));
  return { size, parts };
}

async function openDatabaseSession(path: string, { database, id }: DatabasePath): Promise<SessionBytes> {
  const [found] = await readDatabase(database, (view) => view.open([id]));
  const opened = requireOpened(found, path);
  const archive = archiveOf(opened);
  const version = sessionVersion(opened);
  const known = { size: version.size, version, mode: PRIVATE_MODE, facts: outsideFacts(database, opened) };
  if (archive) {
    const file = await UnpackedBytes.open(archiveKey(archive, await archiveVersion(database, archive)), () =>
      readArchive(path, database, id, archive),
    );
    return { ...known, file, problems: NO_PROBLEMS };
  }
  const file = new DatabaseBytes(database, opened);
  return { ...known, file, problems: () => file.problems() };
}

/** Returns the version of an archive's file; `undefined` if there is none, for whatever reason. Reading it gives the reason. */
const archiveVersion = async (database: string, { fileName }: ColdArchive): Promise<FileVersion | undefined> =>
  fileName === undefined ? undefined : findVersion(archivePath(database, fileName));

const findVersion = (path: string): Promise<FileVersion | undefined> => stat(path, { bigint: true }).then(fileVersion, () => undefined);

async function readArchive(path: string, database: string, id: string, archive: ColdArchive): Promise<Buffer> {
  const { fileName } = archive;
  const bytes =
    fileName === undefined
      ? await readDatabase(database, (view) => view.archive(id, MAX_ARCHIVE_BYTES))
      : await readSmallFile(archivePath(database, fileName), {
          maxBytes: MAX_ARCHIVE_BYTES,
          deadline: ARCHIVE_DEADLINE,
          followLink: false,
        }).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        });
  return unpackArchive(path, archive, bytes ?? undefined);
}

/** Milliseconds. */
const ARCHIVE_DEADLINE = 10_000;

/** Bytes that are read at a time. In between, the event loop runs. */
const READ_BYTES = 256 * 1024;

class DatabaseBytes implements ByteSource {
  private readonly damaged = new Map<number, Problem>();

  constructor(
    private readonly database: string,
    private readonly opened: OpenedSession,
  ) {}

  async read(bytes: Buffer, at: number, length: number, position: number): Promise<{ bytesRead: number }> {
    const part = bytes.subarray(at, at + Math.min(length, READ_BYTES));
    const { count, damaged } = await readDatabase(this.database, (view) => view.read(this.opened, part, position));
    for (const [line, damage] of damaged) this.damaged.set(line, problem(damage, { line }));
    return { bytesRead: count };
  }

  stat(): Promise<{ size: number }> {
    return Promise.resolve(sessionVersion(this.opened));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  problems(): readonly Problem[] {
    return [...this.damaged.values()];
  }
}
