/** Opens the bytes of a session, wherever they are: a file, a compressed one, or rows of a database that are read as a file. */
import { SessionError, type Problem } from '../../../format/entry/problem';
import { isArchivedSession } from '../../../format/session/archivedSession';
import type { OutsideFacts } from '../../../format/session/outsideFacts';
import { findDatabasePath, type DatabasePath } from '../../database/databaseSession';
import type { ByteSource } from '../../io/byteSource';
import { isMissing } from '../../io/fileErrors';
import { readAt } from '../../io/readAt';
import { openRegularFile, readRanges, type OpenRegularOptions, type ReadRange } from '../../io/regularFile';
import { openDatabaseLines } from './databaseLines';
import { fileVersion, type FileVersion } from '../versions/fileVersion';
import { openCompressedSession } from './unpackedBytes';

/** Facts of a session that was opened, asynchronously or synchronously. */
export interface OpenedBytes {
  /** The number of bytes. The version of a compressed file has the size of the file instead. */
  readonly size: number;
  readonly version: FileVersion;
  /** Facts that aren't in the lines. */
  readonly facts?: OutsideFacts;
  /** Returns the problems of the damaged lines that were read so far. */
  readonly problems: () => readonly Problem[];
}

/** The bytes of a session that are read from the first line on. */
export interface SessionLines extends Pick<OpenedBytes, 'facts' | 'problems'> {
  readonly file: ByteSource;
}

interface OpenBytesOptions extends Pick<OpenRegularOptions, 'isKnownRegular'> {
  /** A version that was found before. If a session in a database still has it, its lines needn't be measured. */
  readonly found?: FileVersion | undefined;
}

export interface SessionBytes extends OpenedBytes, SessionLines {
  /** Permission bits for a copy. */
  readonly mode: number;
}

/** The problems of a file's lines: the reader finds them itself. */
export const NO_PROBLEMS = (): readonly Problem[] => [];

/** The mode of a copied session: only its owner can read it. */
const PRIVATE_MODE = 0o600;

/**
 * Opens a session for reading. The caller closes its file.
 *
 * @throws {SessionError} `not-a-session`, `not-found`, `changed`, or `invalid` for an archive that is too large.
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function openSessionBytes(path: string, options: OpenBytesOptions = {}): Promise<SessionBytes> {
  if (isArchivedSession(path)) return openArchivedSession(path);
  try {
    return await openFile(path, options);
  } catch (error) {
    return openDatabaseSession(path, await databasePathFor(path, error), options.found);
  }
}

/**
 * Opens a session to read its lines from the first one on. Unlike `openSessionBytes`, it doesn't measure archives and databases
 * first.
 *
 * @throws as `openSessionBytes`.
 */
export async function openSessionLines(path: string): Promise<SessionLines> {
  if (isArchivedSession(path)) return { file: (await openCompressedSession(path)).file, problems: NO_PROBLEMS };
  try {
    return await openFile(path);
  } catch (error) {
    const at = await databasePathFor(path, error);
    const { file, session } = await openDatabaseLines(path, at);
    return { file, facts: session.facts, problems: () => session.problems() };
  }
}

async function openFile(path: string, options: OpenBytesOptions = {}): Promise<SessionBytes> {
  const { file, stats } = await openRegularFile(path, options);
  const version = fileVersion(stats);
  return { file, size: version.size, version, mode: Number(stats.mode) & 0o777, problems: NO_PROBLEMS };
}

async function openArchivedSession(path: string): Promise<SessionBytes> {
  const opened = await openCompressedSession(path);
  return closedOnError(opened.file, async () => ({ ...opened, size: await opened.file.size(), problems: NO_PROBLEMS }));
}

/**
 * Reads all bytes of a session that isn't a plain file of lines.
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
interface SessionRanges {
  readonly size: number;
  readonly parts: readonly Buffer[];
}

/**
 * Reads parts of a session that the caller has just found; see {@link readRanges}.
 *
 * @param size the size of the version that was found.
 * @param end bytes at the end of which a part may be read. The size of a session in a database may be a guess.
 * @param rangesOf returns the parts for a number of bytes.
 */
export async function readSessionRanges(
  path: string,
  size: number,
  end: number,
  rangesOf: (size: number) => readonly ReadRange[],
): Promise<SessionRanges> {
  if (isArchivedSession(path)) return readOpened(await openArchivedSession(path), rangesOf);
  try {
    return { size, parts: await readRanges(path, rangesOf(size)) };
  } catch (error) {
    const at = await databasePathFor(path, error);
    const { file, session } = await openDatabaseLines(path, at);
    return readOpened(await closedOnError(file, async () => ({ file, size: await session.locateEnd(end) })), rangesOf);
  }
}

async function readOpened(
  { file, size }: Pick<SessionBytes, 'file' | 'size'>,
  rangesOf: (size: number) => readonly ReadRange[],
): Promise<SessionRanges> {
  try {
    const parts: Buffer[] = [];
    for (const [offset, length, room] of rangesOf(size)) parts.push(await readAt(file, offset, length, room));
    return { size, parts };
  } finally {
    await file.close();
  }
}

async function openDatabaseSession(path: string, at: DatabasePath, found?: FileVersion): Promise<SessionBytes> {
  const { file, session } = await openDatabaseLines(path, at);
  const version = await closedOnError(file, () => session.version(found));
  return { file, size: version.size, version, mode: PRIVATE_MODE, facts: session.facts, problems: () => session.problems() };
}

/** Does some work with a file that was opened, and closes it if that fails. */
async function closedOnError<T>(file: ByteSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Returns the parts of the path of a session in a database, which can't be opened as a file.
 *
 * @param error the error of opening it as a file; thrown for any other path
 */
async function databasePathFor(path: string, error: unknown): Promise<DatabasePath> {
  const at = isMissing(error) ? await findDatabasePath(path) : undefined;
  if (!at) throw error;
  return at;
}
