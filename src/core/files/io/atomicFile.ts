/**
 * A new file, whole or not at all: written under a hidden name that no listing takes, synced, then put in
 * its place. FORMAT section 6, rule 5.
 */
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { realDisk, writeAll, type Disk } from './disk';
import { fileError } from './fileErrors';
import { isSameFile } from './assertInPlace';
import { removeStaleTemporaryFiles, temporaryName } from '../storage/temporaryFiles';

export interface LineWriter {
  /** Writes a line; the line break is added. */
  line(text: string | Uint8Array): Promise<void>;
}

/** What a file of ours holds: by this one sees later whether it still is what was written. */
export interface FileDigest {
  /** In bytes. */
  readonly size: number;
  /** Of the whole content, in hex. */
  readonly sha256: string;
}

/** Lines are gathered to about this many bytes before they go to the disk. */
const SLICE = 1024 * 1024;

/**
 * Makes a new file and its folders. An existing file is never overwritten.
 *
 * @throws {SessionError} `permission`, `no-space`; the file system's `EEXIST` as it is. Nothing is left behind.
 */
export async function createFile(path: string, write: (to: LineWriter) => Promise<void>, options: { readonly mode?: number; readonly disk?: Disk } = {}): Promise<FileDigest> {
  const { mode = 0o644, disk = realDisk } = options;
  await disk.mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
    throw fileError(error, path);
  });
  const placed = await withTemporary(path, (put) => writeLines(put, write), mode, (temporary) => linkNew(temporary, path, disk), disk);
  await assertPlaced(path, placed, disk);
  return { size: placed.size, sha256: placed.sha256 };
}

/** Puts a new content in the place of an existing file, in one step. `check` runs at the last moment before it. See `assertPlaced`. */
export async function replaceFile(path: string, write: (to: LineWriter) => Promise<void>, mode: number, check: () => Promise<void>, disk: Disk = realDisk): Promise<PlacedFile> {
  return withTemporary(
    path,
    (put) => writeLines(put, write),
    mode,
    async (temporary) => {
      await check();
      await disk.rename(temporary, path);
    },
    disk,
  );
}

/** A copy under a name that nobody has yet, whole or not at all. @throws the file system's `EEXIST` as it is. */
export async function copyToNewFile(from: FileHandle, to: string, mode: number, disk: Disk = realDisk): Promise<void> {
  await withTemporary(to, (put) => copyAll(from, put), mode, (temporary) => linkNew(temporary, to, disk), disk);
}

/** The same in the place of whatever has the name. */
export async function copyReplacing(from: FileHandle, to: string, mode: number, disk: Disk = realDisk): Promise<void> {
  await withTemporary(to, (put) => copyAll(from, put), mode, (temporary) => disk.rename(temporary, to), disk);
}

async function copyAll(from: FileHandle, put: Put): Promise<void> {
  const slice = Buffer.allocUnsafe(SLICE);
  for (let at = 0; ; ) {
    const { bytesRead } = await from.read(slice, 0, SLICE, at);
    if (bytesRead === 0) return;
    await put(slice.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** A file of ours that was put in its place. */
export interface PlacedFile extends FileDigest {
  readonly stats: BigIntStats;
}

/**
 * The last look: whether the file at `path` is the one that was put there.
 *
 * @throws {SessionError} `damaged` if it was deleted, moved, replaced or shortened since.
 */
export async function assertPlaced(path: string, { stats: made }: PlacedFile, disk: Disk = realDisk): Promise<void> {
  // What can't be looked at was put there all the same: the system said so.
  const there = await disk.stat(path, { bigint: true }).catch((error: unknown) => ((error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : made));
  if (there && isSameFile(made, there) && there.size >= made.size) return;
  // Some file systems give a file a new number with its new name.
  if (there?.size === made.size && there.mtimeNs === made.mtimeNs) return;
  throw new SessionError('damaged', 'The new file was moved, shortened, replaced or deleted right after it was written: {path}', { path });
}

type Put = (bytes: Uint8Array) => Promise<void>;

async function withTemporary(path: string, write: (put: Put) => Promise<void>, mode: number, place: (temporary: string) => Promise<void>, disk: Disk): Promise<PlacedFile> {
  await removeStaleTemporaryFiles(dirname(path), disk);
  const temporary = join(dirname(path), temporaryName(basename(path)));
  const hash = createHash('sha256');
  let size = 0;
  let made: BigIntStats;
  try {
    const file = await disk.open(temporary, 'wx', mode);
    try {
      // The process's mask may have taken bits away that the original has.
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
    if (size > 0) await put(held.length === 1 ? held[0]! : Buffer.concat(held));
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

/** Under its name, which nobody else may have. What then stays of the hidden name is cleared with the leftovers. */
async function linkNew(temporary: string, path: string, disk: Disk): Promise<void> {
  try {
    await disk.link(temporary, path);
  } catch (error) {
    if (!NO_HARD_LINK_CODES.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await placeWithoutLinks(temporary, path, disk);
    return;
  }
  await disk.unlink(temporary).catch(() => undefined);
}

/** What `link` says where a file system has no hard links. */
export const NO_HARD_LINK_CODES: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** For file systems without hard links: the name is taken first, by an empty file that must not be there yet. */
async function placeWithoutLinks(temporary: string, path: string, disk: Disk): Promise<void> {
  await (await disk.open(path, 'wx')).close();
  try {
    await disk.rename(temporary, path);
  } catch (error) {
    await disk.unlink(path).catch(() => undefined);
    throw error;
  }
}

/** So that the name survives a power cut too; not every system can. */
export async function syncFolder(path: string, disk: Disk = realDisk): Promise<void> {
  const folder = await disk.open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close().catch(() => undefined);
}
