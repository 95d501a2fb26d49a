/**
 * Compresses a session in its folder, and restores it. At each moment one of the two files is complete, and an
 * interrupted change is finished by `endInterrupted`. FORMAT section 6, rule 11.
 */
import { createHash, type Hash } from 'node:crypto';
import { lstat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { SessionError } from '../../format/entry/problem';
import { archivedError, canUnarchive, compressionOf, unarchivedPath, type Compression } from '../../format/session/archivedSession';
import { assertPlaced, placeNewFile, syncFolder, type FileDigest, type Put } from '../io/atomicFile';
import { copyAll } from '../io/copyFile';
import { realDisk, type Disk } from '../io/disk';
import { Yielder } from '../concurrency/eventLoop';
import { errorCode, fileError } from '../io/fileErrors';
import { readAt } from '../io/readAt';
import { openRegularFile, type RegularFile } from '../io/regularFile';
import { removeName } from '../io/removeName';
import { changedError, sameVersion } from '../read/versions/compareVersions';
import { fileVersion, type FileVersion } from '../read/versions/fileVersion';
import { openSessionBytes } from '../read/bytes/sessionBytes';
import { readSession } from '../read/sessionFile';
import { linkedError, removePlaced } from '../relink/relocate';
import { digestFile } from '../storage/privateStorage';
import { retryWhileOpen } from '../storage/retryWhileOpen';
import { exists } from '../io/exists';
import { moveBack, pathTakenError } from '../trash/trashMoves';
import { assertWritable } from '../write/assertWritable';
import { NotAtPathError, removeOriginal, type RemovalOptions } from '../write/removeOriginal';
import { beginsWith, contentOf } from './archiveContent';
import { archivingPath } from './archivePaths';

/** Bytes that are compressed, written or compared at a time. */
const SLICE = 1024 * 1024;

/**
 * Replaces a session by its archive, under the guard of the writer. The archive is unpacked and compared before the session
 * is removed, and has its time and permission bits.
 *
 * @param version the file's version when it was found to be free.
 * @param archive a free path.
 * @throws {SessionError} `live`, `changed`, `invalid`, `permission`, `no-space` or `not-found`: nothing was changed. `damaged`: the
 *   sentence names where the session is.
 */
export async function archiveFile(path: string, version: FileVersion, archive: string, removal: RemovalOptions): Promise<void> {
  const { disk = realDisk } = removal;
  const { file, stats } = await openOwn(path);
  try {
    const hash = createHash('sha256');
    const options = { mode: Number(stats.mode) & 0o777, mtimeMs: version.mtimeMs, disk };
    const placed = await placeNewFile(archive, (put) => pack(file, compressionOf(archive), hash, put), options).catch(pathTaken(archive));
    const hidden = archivingPath(path);
    try {
      await assertVersion(path, version, disk);
      await assertUnpacksTo(archive, { size: version.size, sha256: hash.digest('hex') });
      await assertPlaced(archive, placed, disk);
      await removeOriginal({ path, hidden, file, version, mode: options.mode }, { ...removal, disk });
    } catch (error) {
      if (!(error instanceof NotAtPathError)) await removePlaced(archive, placed, disk);
      throw error;
    }
    await syncFolder(dirname(path), disk);
    if (await exists(path)) throw continuedError(path, archive);
  } catch (error) {
    throw fileError(error, path);
  } finally {
    await file.close();
  }
}

/**
 * Replaces an archive by the session that it was made from, with the archive's time and permission bits.
 *
 * @returns the session's path.
 * @throws {SessionError} `invalid`, `not-a-session`, `read-only`, `changed`, `permission`, `no-space` or `not-found`: nothing was
 *   changed.
 */
export async function unarchiveFile(archive: string, disk: Disk = realDisk): Promise<string> {
  if (!canUnarchive(archive)) throw notArchivedError(archive);
  const path = unarchivedPath(archive);
  const { file, stats } = await openOwn(archive);
  await file.close();
  try {
    const version = fileVersion(stats);
    await readSession(archive);
    if (await bringOriginalBack(path, archive)) {
      await syncFolder(dirname(path), disk);
      await retryWhileOpen(() => removeName(archive, disk));
      return path;
    }
    const opened = await openSessionBytes(archive);
    if (!sameVersion(opened.version, version)) throw changedError(archive);
    const options = { mode: Number(stats.mode) & 0o777, mtimeMs: version.mtimeMs, disk };
    const placed = await placeNewFile(path, (put) => copyAll(opened.file, put), options).catch(pathTaken(path));
    try {
      const { size, sha256 } = await digestFile(path);
      if (size !== placed.size || sha256 !== placed.sha256) throw unequalError(archive);
      await assertPlaced(path, placed, disk);
      await assertVersion(archive, version, disk);
      await retryWhileOpen(() => removeName(archive, disk));
    } catch (error) {
      await removePlaced(path, placed, disk);
      throw error;
    }
    await syncFolder(dirname(path), disk);
    return path;
  } catch (error) {
    throw fileError(error, archive);
  }
}

const openOwn = async (path: string): Promise<RegularFile> => {
  const opened = await openRegularFile(path, { followLink: false, refusal: linkedError }).catch((error: unknown) => {
    throw errorCode(error) === 'ELOOP' ? linkedError(path) : fileError(error, path);
  });
  try {
    assertWritable(path, Number(opened.stats.mode));
    return opened;
  } catch (error) {
    await opened.file.close();
    throw error;
  }
};

/**
 * Gives the original its path back, if it has its hidden name: a program that still has it open continues there.
 *
 * @returns false if there is no original that begins with the archive's content.
 */
async function bringOriginalBack(path: string, archive: string): Promise<boolean> {
  const hidden = archivingPath(path);
  // The original is a file. A link or a pipe under that name has another origin, and stays.
  if (!(await isFile(hidden)) || (await beginsWith(hidden, await contentOf(archive))) === 'different') return false;
  await moveBack(hidden, path);
  return true;
}

const isFile = async (path: string): Promise<boolean> => (await exists(path)) && (await lstat(path)).isFile();

/** @throws {SessionError} `changed` if another version of a file is at the path */
async function assertVersion(path: string, version: FileVersion, disk: Disk): Promise<void> {
  if (!sameVersion(version, fileVersion(await disk.stat(path, { bigint: true })))) throw changedError(path);
}

/** Compresses on another thread, slice by slice. */
async function pack(file: FileHandle, compression: Compression | undefined, hash: Hash, put: Put): Promise<void> {
  const packer =
    compression === 'zst' ? zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } }) : zlib.createGzip();
  await pipeline(slicesOf(file, hash), packer, async (packed: AsyncIterable<Buffer>) => {
    for await (const bytes of packed) await put(bytes);
  });
}

async function* slicesOf(file: FileHandle, hash: Hash): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const slice = await readAt(file, at, SLICE);
    if (slice.length === 0) return;
    hash.update(slice);
    at += slice.length;
    yield slice;
  }
}

/** @throws {SessionError} `invalid`, or the reason why the archive can't be unpacked */
async function assertUnpacksTo(archive: string, { size, sha256 }: FileDigest): Promise<void> {
  const bytes = await contentOf(archive);
  const hash = createHash('sha256');
  const pause = new Yielder(undefined);
  for (let at = 0; at < bytes.length; at += SLICE) {
    hash.update(bytes.subarray(at, at + SLICE));
    await pause.yieldIfDue();
  }
  if (bytes.length !== size || hash.digest('hex') !== sha256) throw unequalError(archive);
}

const pathTaken =
  (path: string) =>
  (error: unknown): never => {
    throw errorCode(error) === 'EEXIST' ? pathTakenError(path) : error;
  };

const notArchivedError = (path: string): SessionError =>
  compressionOf(path) !== undefined && !canUnarchive(path)
    ? archivedError(path)
    : new SessionError('not-a-session', 'This isn’t an archived session, so there’s nothing to unarchive: {path}', { path });

const unequalError = (path: string): SessionError =>
  new SessionError('invalid', 'The new file doesn’t have the same content, so nothing was changed: {path}', { path });

const continuedError = (path: string, archive: string): SessionError =>
  new SessionError('damaged', 'Another program wrote to this session while it was archived. What it had before is in {archive}: {path}', {
    archive,
    path,
  });
