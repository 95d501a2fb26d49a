/**
 * A new file, whole or not at all: written under a hidden name that no listing takes, synced, then put in
 * its place. FORMAT: writing, point 5.
 */
import { constants, copyFile, link, mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { createHash, randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { fileError } from './errors';

export interface LineWriter {
  /** Writes a line; the line break is added. */
  line(text: string | Uint8Array): Promise<void>;
}

/** What a file of ours holds: by this one sees later whether it still is what was written. */
export interface Written {
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
export async function createFile(path: string, write: (to: LineWriter) => Promise<void>, options: { readonly mode?: number } = {}): Promise<Written> {
  await mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
    throw fileError(error, path);
  });
  return withTemporary(path, write, options.mode ?? 0o644, async (temporary) => {
    try {
      await link(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
      await copyWhole(temporary, path);
    }
    await unlink(temporary);
  });
}

/** Puts a new content in the place of an existing file, in one step. `check` runs at the last moment before it. */
export async function replaceFile(path: string, write: (to: LineWriter) => Promise<void>, mode: number, check: () => Promise<void>): Promise<Written> {
  return withTemporary(path, write, mode, async (temporary) => {
    await check();
    await rename(temporary, path);
  });
}

async function withTemporary(path: string, write: (to: LineWriter) => Promise<void>, mode: number, place: (temporary: string) => Promise<void>): Promise<Written> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`);
  let written: Written;
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      // The process's mask may have taken bits away that the original has.
      await file.chmod(mode);
      written = await writeLines(file, write);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(temporary);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw fileError(error, path);
  }
  await syncFolder(dirname(path));
  return written;
}

async function writeLines(file: FileHandle, write: (to: LineWriter) => Promise<void>): Promise<Written> {
  const hash = createHash('sha256');
  let total = 0;
  let held: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (size > 0) {
      const bytes = held.length === 1 ? held[0]! : Buffer.concat(held);
      hash.update(bytes);
      await file.writeFile(bytes);
    }
    total += size;
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
  return { size: total, sha256: hash.digest('hex') };
}

const NEWLINE = Buffer.from('\n');

/** For file systems without hard links. What was copied in part is taken away again. */
async function copyWhole(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    const file = await open(to, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await unlink(to).catch(() => undefined);
    throw error;
  }
}

/** So that the name survives a power cut too; not every system can. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
