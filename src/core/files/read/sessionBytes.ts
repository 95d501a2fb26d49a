/** Opens the bytes of a session, wherever they are: a file, or rows of a database that are read as a file. */
import { problem, SessionError, type Problem } from '../../format/entry/problem';
import type { OutsideFacts } from '../../format/session/sessionReader';
import { archivePath, MAX_ARCHIVE_BYTES, unpackArchive } from '../database/coldArchive';
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

export interface SessionBytes {
  readonly file: ByteSource;
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
 * @throws {SessionError} `not-a-session`, `not-found` or `changed`.
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function openSessionBytes(path: string, options: Pick<OpenRegularOptions, 'isKnownRegular'> = {}): Promise<SessionBytes> {
  try {
    const { file, stats } = await openRegularFile(path, options);
    return { file, version: fileVersion(stats), mode: Number(stats.mode) & 0o777, problems: () => [] };
  } catch (error) {
    const at = isMissing(error) ? await findDatabasePath(path) : undefined;
    if (!at) throw error;
    return openDatabaseSession(path, at);
  }
}

/**
 * Reads all bytes of a session that is in a database.
 *
 * @throws {SessionError} as `readSession`; `invalid` if there are more than `maxBytes`.
 */
export async function readWholeSession(path: string, maxBytes: number): Promise<Buffer> {
  const { file, version } = await openSessionBytes(path);
  try {
    if (version.size > maxBytes)
      throw new SessionError('invalid', 'This file is larger than the {limit} bytes that are read of it: {path}', {
        path,
        limit: maxBytes,
      });
    return await readAt(file, 0, version.size);
  } finally {
    await file.close();
  }
}

/** Reads parts of a session that the caller has just found; see {@link readRanges}. */
export async function readSessionRanges(path: string, parts: readonly ReadRange[]): Promise<Buffer[]> {
  try {
    return await readRanges(path, parts);
  } catch (error) {
    const at = isMissing(error) ? await findDatabasePath(path) : undefined;
    if (!at) throw error;
    const { file } = await openDatabaseSession(path, at);
    const found: Buffer[] = [];
    for (const [offset, length, room] of parts) found.push(await readAt(file, offset, length, room));
    return found;
  }
}

async function openDatabaseSession(path: string, { database, id }: DatabasePath): Promise<SessionBytes> {
  const [found] = await readDatabase(database, (view) => view.open([id]));
  const opened = requireOpened(found, path);
  const archive = archiveOf(opened);
  const file = archive ? new ArchiveBytes(await readArchive(path, database, id, archive)) : new DatabaseBytes(database, opened);
  return {
    file,
    version: sessionVersion(opened),
    mode: PRIVATE_MODE,
    facts: outsideFacts(database, opened),
    problems: () => file.problems(),
  };
}

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

class ArchiveBytes implements ByteSource {
  constructor(private readonly lines: Buffer) {}

  read(bytes: Buffer, at: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return Promise.resolve({ bytesRead: this.lines.copy(bytes, at, position, position + length) });
  }

  stat(): Promise<{ size: number }> {
    return Promise.resolve({ size: this.lines.length });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  problems(): readonly Problem[] {
    return [];
  }
}

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
