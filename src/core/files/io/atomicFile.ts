/**
 * Creates new files atomically: they are written under a hidden name that no listing returns, synced, then moved into
 * place. FORMAT section 6, rule 5.
 */
import type { BigIntStats } from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { realDisk, writeAll, type Disk } from './disk';
import { errorCode, fileError } from './fileErrors';
import { isSameFile } from './assertInPlace';
import { retryWhileOpen } from '../storage/retryWhileOpen';
import { removeStaleTemporaryFiles, temporaryName } from '../storage/temporaryFiles';

export interface LineWriter {
  /** Writes a line and adds the line break. */
  line(text: string | Uint8Array): Promise<void>;
  /** Writes a text as it is. */
  text(text: string): Promise<void>;
}

/** Digest of a file that the extension wrote. A later comparison shows if the content is still the same. */
export interface FileDigest {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the whole content, in hex. */
  readonly sha256: string;
}

/** Bytes: lines are buffered up to about this size before they're written to the disk. */
const SLICE = 1024 * 1024;

/**
 * Creates a new file and its missing folders. Never overwrites an existing file, and leaves no file on failure.
 *
 * @throws {SessionError} `permission` or `no-space`.
 * @throws {NodeJS.ErrnoException} `EEXIST` if the path is taken.
 */
export async function createFile(
  path: string,
  write: (to: LineWriter) => Promise<void>,
  options: { readonly mode?: number; readonly disk?: Disk } = {},
): Promise<FileDigest> {
  const { mode = 0o644, disk = realDisk } = options;
  await disk.mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
    throw fileError(error, path);
  });
  const placed = await withTemporary(
    path,
    (put) => writeLines(put, write),
    (temporary) => linkNew(temporary, path, disk),
    { mode, disk },
  );
  await assertPlaced(path, placed, disk);
  return { size: placed.size, sha256: placed.sha256 };
}

/**
 * Replaces the content of an existing file in one step. `check` runs immediately before the rename. Callers verify the
 * result with {@link assertPlaced}.
 */
export async function replaceFile(
  path: string,
  write: (to: LineWriter) => Promise<void>,
  mode: number,
  check: () => Promise<void>,
  disk: Disk = realDisk,
): Promise<PlacedFile> {
  return placeInstead(path, (put) => writeLines(put, write), check, { mode, disk });
}

/** Options of {@link placeNewFile} and {@link placeInstead}. */
interface PlaceOptions {
  /** Permission bits. */
  readonly mode: number;
  /** The time of the last change that the file gets, in milliseconds since 1970; by default the current time. */
  readonly mtimeMs?: number;
  readonly disk?: Disk;
}

/**
 * Creates a new file of any bytes, like {@link createFile}, but no folders. Callers verify the result with
 * {@link assertPlaced}.
 *
 * @throws {NodeJS.ErrnoException} `EEXIST` if the path is taken.
 */
export function placeNewFile(path: string, write: (put: Put) => Promise<void>, options: PlaceOptions): Promise<PlacedFile> {
  return withTemporary(path, write, (temporary) => linkNew(temporary, path, options.disk), options);
}

/** Replaces a file like {@link replaceFile}, by any bytes. */
export function placeInstead(
  path: string,
  write: (put: Put) => Promise<void>,
  check: () => Promise<void>,
  options: PlaceOptions,
): Promise<PlacedFile> {
  const { disk = realDisk } = options;
  const place = (temporary: string): Promise<void> =>
    retryWhileOpen(async () => {
      await check();
      await disk.rename(temporary, path);
    });
  return withTemporary(path, write, place, options);
}

/** A file that was moved into place. */
export interface PlacedFile extends FileDigest {
  readonly stats: BigIntStats;
}

/**
 * Verifies that the file at `path` is still the placed file.
 *
 * @throws {SessionError} `damaged` if it was deleted, moved, replaced or shortened since.
 */
export async function assertPlaced(path: string, { stats: made }: PlacedFile, disk: Disk = realDisk): Promise<void> {
  // If `stat` fails otherwise, the file counts as placed: the system has confirmed the rename or link.
  const there = await disk.stat(path, { bigint: true }).catch((error: unknown) => (errorCode(error) === 'ENOENT' ? undefined : made));
  if (there && isSameFile(made, there) && there.size >= made.size) return;
  // Some file systems change the inode of a file when it's renamed.
  if (there?.size === made.size && there.mtimeNs === made.mtimeNs) return;
  throw new SessionError('damaged', 'The new file was moved, changed, replaced or deleted right after it was written: {path}', { path });
}

/** Writes bytes at the end of a new file. */
export type Put = (bytes: Uint8Array) => Promise<void>;

/** A complete file with a hidden name beside its place. */
export interface StagedFile extends PlacedFile {
  readonly temporary: string;
}

/**
 * Writes a new file beside a path, under a hidden name, and syncs it. The caller moves it to the path, or removes it.
 *
 * @throws {SessionError} `permission` or `no-space`
 */
export async function stageFile(path: string, write: (put: Put) => Promise<void>, options: PlaceOptions): Promise<StagedFile> {
  const { mode, mtimeMs, disk = realDisk } = options;
  const temporary = join(dirname(path), temporaryName(basename(path)));
  const hash = createHash('sha256');
  let size = 0;
  try {
    const file = await disk.open(temporary, 'wx', mode);
    try {
      // The process's umask may have cleared permission bits that the original has.
      await file.chmod(mode);
      await write(async (bytes) => {
        hash.update(bytes);
        size += bytes.length;
        await writeAll(file, bytes);
      });
      if (mtimeMs !== undefined) await file.utimes(Date.now() / 1000, mtimeMs / 1000);
      await file.sync();
      return { temporary, size, sha256: hash.digest('hex'), stats: await file.stat({ bigint: true }) };
    } finally {
      await file.close();
    }
  } catch (error) {
    await disk.unlink(temporary).catch(() => undefined);
    throw fileError(error, path);
  }
}

async function withTemporary(
  path: string,
  write: (put: Put) => Promise<void>,
  place: (temporary: string) => Promise<void>,
  { disk = realDisk, ...options }: PlaceOptions,
): Promise<PlacedFile> {
  await removeStaleTemporaryFiles(dirname(path), disk);
  const { temporary, ...placed } = await stageFile(path, write, { ...options, disk });
  try {
    await place(temporary);
  } catch (error) {
    await disk.unlink(temporary).catch(() => undefined);
    throw fileError(error, path);
  }
  await syncFolder(dirname(path), disk);
  return placed;
}

async function writeLines(put: Put, write: (to: LineWriter) => Promise<void>): Promise<void> {
  let held: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const [first, ...others] = held;
    if (first && size > 0) await put(others.length === 0 ? first : Buffer.concat(held));
    held = [];
    size = 0;
  };
  const hold = async (text: string | Uint8Array): Promise<void> => {
    for (const part of slicesOf(text)) {
      held.push(part);
      size += part.length;
      if (size >= SLICE) await flush();
    }
  };
  await write({
    line: async (text) => {
      await hold(text);
      await hold(NEWLINE);
    },
    text: hold,
  });
  await flush();
}

const NEWLINE = Buffer.from('\n');

/** Returns the bytes of a text in slices: encoding and hashing a line of many megabytes at once takes too long. */
export function* slicesOf(text: string | Uint8Array): Generator<Uint8Array, void> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + SLICE);
    // A surrogate pair is encoded as a whole.
    if (typeof text === 'string' && to < text.length && /[\ud800-\udbff]/.test(text.charAt(to - 1))) to--;
    yield typeof text === 'string' ? Buffer.from(text.slice(from, to)) : text.subarray(from, to);
    from = to;
  }
}

/**
 * Links the file to its final name, which must be free. If the hidden name can't be removed, the cleanup of leftovers
 * removes it.
 */
export async function linkNew(temporary: string, path: string, disk: Disk = realDisk): Promise<void> {
  try {
    await disk.link(temporary, path);
  } catch (error) {
    if (!NO_HARD_LINK_CODES.has(errorCode(error) ?? '')) throw error;
    await placeWithoutLinks(temporary, path, disk);
    return;
  }
  await disk.unlink(temporary).catch(() => undefined);
}

/** Error codes of `link` on file systems without hard links. */
const NO_HARD_LINK_CODES: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/**
 * For file systems without hard links: reserves the name with an empty file, created exclusively, then renames over it.
 */
async function placeWithoutLinks(temporary: string, path: string, disk: Disk): Promise<void> {
  await (await disk.open(path, 'wx')).close();
  try {
    await retryWhileOpen(() => disk.rename(temporary, path));
  } catch (error) {
    await disk.unlink(path).catch(() => undefined);
    throw error;
  }
}

/**
 * Syncs a folder so that a new name in it survives a power cut. Ignores errors, because not every system supports it.
 */
export async function syncFolder(path: string, disk: Disk = realDisk): Promise<void> {
  const folder = await disk.open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close().catch(() => undefined);
}
