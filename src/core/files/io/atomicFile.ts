/**
 * Creates new files atomically: they are written under a hidden name that no listing returns, synced, then moved into
 * place. FORMAT section 6, rule 5.
 */
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
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
 * Creates a new file and its missing folders. Never overwrites an existing file, and leaves nothing behind on failure.
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
    mode,
    (temporary) => linkNew(temporary, path, disk),
    disk,
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
  return withTemporary(
    path,
    (put) => writeLines(put, write),
    mode,
    async (temporary) => {
      await retryWhileOpen(async () => {
        await check();
        await disk.rename(temporary, path);
      });
    },
    disk,
  );
}

/**
 * Copies to a new name, completely or not at all.
 *
 * @throws {NodeJS.ErrnoException} `EEXIST` if the name is taken.
 */
export async function copyToNewFile(from: FileHandle, to: string, mode: number, disk: Disk = realDisk): Promise<void> {
  await withTemporary(
    to,
    (put) => copyAll(from, put),
    mode,
    (temporary) => linkNew(temporary, to, disk),
    disk,
  );
}

/** Copies like {@link copyToNewFile}, but replaces whatever has the name. */
export async function copyReplacing(from: FileHandle, to: string, mode: number, disk: Disk = realDisk): Promise<void> {
  await withTemporary(
    to,
    (put) => copyAll(from, put),
    mode,
    (temporary) => retryWhileOpen(() => disk.rename(temporary, to)),
    disk,
  );
}

async function copyAll(from: FileHandle, put: Put): Promise<void> {
  const slice = Buffer.allocUnsafe(SLICE);
  for (let at = 0; ;) {
    const { bytesRead } = await from.read(slice, 0, SLICE, at);
    if (bytesRead === 0) return;
    await put(slice.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** A file that was moved into place. */
export interface PlacedFile extends FileDigest {
  readonly stats: BigIntStats;
}

/**
 * Verifies that the file at `path` is still the one that was placed there.
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

type Put = (bytes: Uint8Array) => Promise<void>;

async function withTemporary(
  path: string,
  write: (put: Put) => Promise<void>,
  mode: number,
  place: (temporary: string) => Promise<void>,
  disk: Disk,
): Promise<PlacedFile> {
  await removeStaleTemporaryFiles(dirname(path), disk);
  const temporary = join(dirname(path), temporaryName(basename(path)));
  const hash = createHash('sha256');
  let size = 0;
  let made: BigIntStats;
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
      await file.sync();
      made = await file.stat({ bigint: true });
    } finally {
      await file.close();
    }
    await place(temporary);
  } catch (error) {
    await disk.unlink(temporary).catch(() => undefined);
    throw fileError(error, path);
  }
  await syncFolder(dirname(path), disk);
  return { size, sha256: hash.digest('hex'), stats: made };
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
  await write({
    line: async (text) => {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      held.push(bytes, NEWLINE);
      size += bytes.length + 1;
      if (size >= SLICE) await flush();
    },
  });
  await flush();
}

const NEWLINE = Buffer.from('\n');

/**
 * Links the file to its final name, which must be free. If the hidden name can't be removed, the cleanup of leftovers
 * removes it.
 */
async function linkNew(temporary: string, path: string, disk: Disk): Promise<void> {
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
export const NO_HARD_LINK_CODES: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

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
