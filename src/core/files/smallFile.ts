/**
 * Reads the small files that lie beside sessions or that settings name: locks, records, key lists, blobs.
 * Anyone who can write to such a folder chooses what is there, so the path may lead to a FIFO, to a device without an
 * end, or to a server that never answers.
 */
import { constants, lstat, open, stat, type FileHandle } from 'node:fs/promises';
import { SessionError } from '../format/problem';
import { readAt } from './readAt';

export interface SmallFileOptions {
  /** The largest size that is read, in bytes. A larger file is refused, never cut. One megabyte by default. */
  readonly maxBytes?: number;
  /** How long the disk may take, in milliseconds. Two seconds by default. */
  readonly deadline?: number;
  /** Whether the path may be a symbolic link to a regular file. True by default; otherwise a link is refused. */
  readonly followLink?: boolean;
}

const MAX_BYTES = 1024 * 1024;
const DEADLINE = 2000;
/** Parts the deadline is counted in. */
const TICKS = 4;

/**
 * Reads a regular file whole. It never waits for a FIFO's writer, and reads nothing of a device.
 *
 * @throws {SessionError} `invalid` if the path isn't a regular file, is larger than `maxBytes`, or didn't answer before
 * the deadline.
 * @throws {NodeJS.ErrnoException} what the system reports, for example `ENOENT`.
 */
export async function readSmallFile(path: string, options: SmallFileOptions = {}): Promise<Buffer> {
  return (await readSmallFileWithStats(path, options)).bytes;
}

/** Reads a small file as UTF-8; see {@link readSmallFile}. */
export async function readSmallText(path: string, options: SmallFileOptions = {}): Promise<string> {
  return (await readSmallFile(path, options)).toString('utf8');
}

export interface SmallFile {
  readonly bytes: Buffer;
  /** When the file was last written, in nanoseconds since 1970. */
  readonly mtimeNs: bigint;
  readonly ino: bigint;
}

/** Reads a small file together with the state it had at that moment; see {@link readSmallFile}. */
export function readSmallFileWithStats(path: string, options: SmallFileOptions = {}): Promise<SmallFile> {
  const { deadline = DEADLINE } = options;
  return new Promise((resolve, reject) => {
    let ticks = 0;
    // A single timer would also run out while this process is busy or the computer sleeps.
    const timer = setInterval(() => {
      if (++ticks === TICKS) reject(new SessionError('invalid', 'This file didn’t answer in time: {path}', { path }));
    }, deadline / TICKS);
    timer.unref();
    read(path, options).then(resolve, reject).finally(() => clearInterval(timer));
  });
}

async function read(path: string, { maxBytes = MAX_BYTES, followLink = true }: SmallFileOptions): Promise<SmallFile> {
  // Opening some devices has an effect of its own, so the type is checked before as well as after opening.
  if (!(await (followLink ? stat : lstat)(path)).isFile()) throw notRegular(path);
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (followLink ? 0 : constants.O_NOFOLLOW));
  try {
    return await readHandle(file, path, maxBytes);
  } finally {
    await file.close();
  }
}

async function readHandle(file: FileHandle, path: string, maxBytes: number): Promise<SmallFile> {
  const stats = await file.stat({ bigint: true });
  if (!stats.isFile()) throw notRegular(path);
  // One byte more than allowed tells a file that is too large, also if it grows meanwhile.
  const bytes = stats.size > BigInt(maxBytes) ? undefined : await readAt(file, 0, Math.min(maxBytes, Number(stats.size) + SLACK) + 1);
  if (!bytes || bytes.length > maxBytes) throw new SessionError('invalid', 'This file is larger than the {limit} bytes that are read of it: {path}', { path, limit: maxBytes });
  return { bytes, mtimeNs: stats.mtimeNs, ino: stats.ino };
}

/** Bytes a small file may grow by between its `stat` and its reading. */
const SLACK = 4096;

const notRegular = (path: string): SessionError => new SessionError('invalid', 'This isn’t a regular file: {path}', { path });
