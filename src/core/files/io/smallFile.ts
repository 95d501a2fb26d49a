/**
 * Reads the small files that are stored with sessions or named by settings: locks, records, key lists, blobs. Anyone
 * who can write to such a folder can put anything at the path, so it may lead to a FIFO, an endless device, or a server
 * that never answers.
 */
import { SessionError } from '../../format/entry/problem';
import { withDeadline } from '../concurrency/deadline';
import { readAt } from './readAt';
import { openRegularFile, type RegularFile } from './regularFile';

/** Limits for reading a small file. */
export interface SmallFileOptions {
  /** The largest size in bytes. A larger file is refused, never cut. One megabyte by default. */
  readonly maxBytes?: number;
  /** Milliseconds until reading is given up. Two seconds by default. */
  readonly deadline?: number;
  /** If false, a symbolic link is refused. True by default: a link to a regular file is followed. */
  readonly followLink?: boolean;
}

const MAX_BYTES = 1024 * 1024;
const DEADLINE = 2000;

/**
 * Reads a whole regular file. Never waits for a FIFO's writer, and reads nothing from a device.
 *
 * @throws {SessionError} `invalid` if the path isn't a regular file, is larger than `maxBytes`, or doesn't answer
 * within the deadline.
 * @throws {NodeJS.ErrnoException} the system's errors, for example `ENOENT`.
 */
export async function readSmallFile(path: string, options: SmallFileOptions = {}): Promise<Buffer> {
  return (await readSmallFileWithStats(path, options)).bytes;
}

/** Reads a whole regular file as UTF-8; limits and errors as in {@link readSmallFile}. */
export async function readSmallText(path: string, options: SmallFileOptions = {}): Promise<string> {
  return (await readSmallFile(path, options)).toString('utf8');
}

/** A file's content together with its state at that moment. */
export interface SmallFile {
  readonly bytes: Buffer;
  /** Modification time in nanoseconds since 1970. */
  readonly mtimeNs: bigint;
  readonly ino: bigint;
}

/**
 * Reads a whole regular file together with its modification time and inode; limits and errors as in {@link
 * readSmallFile}.
 */
export function readSmallFileWithStats(path: string, options: SmallFileOptions = {}): Promise<SmallFile> {
  return withFileDeadline(path, read(path, options), options.deadline ?? DEADLINE);
}

/** Reads the first `length` bytes of a regular file of any size; otherwise as {@link readSmallFile}. */
export function readStart(path: string, length: number): Promise<Buffer> {
  return withFileDeadline(path, startOf(path, length), DEADLINE);
}

function withFileDeadline<T>(path: string, work: Promise<T>, deadline: number): Promise<T> {
  return withDeadline(work, deadline, () => new SessionError('invalid', 'This file didn’t respond in time: {path}', { path }));
}

async function startOf(path: string, length: number): Promise<Buffer> {
  const { file } = await openRegularFile(path, { refusal: notRegular });
  try {
    return await readAt(file, 0, length);
  } finally {
    await file.close();
  }
}

async function read(path: string, { maxBytes = MAX_BYTES, followLink = true }: SmallFileOptions): Promise<SmallFile> {
  const opened = await openRegularFile(path, { followLink, refusal: notRegular });
  try {
    return await readHandle(opened, path, maxBytes);
  } finally {
    await opened.file.close();
  }
}

async function readHandle({ file, stats }: RegularFile, path: string, maxBytes: number): Promise<SmallFile> {
  // One byte beyond the limit reveals a file that is too large, even if it grows meanwhile.
  const bytes = stats.size > BigInt(maxBytes) ? undefined : await readAt(file, 0, Math.min(maxBytes, Number(stats.size) + SLACK) + 1);
  if (!bytes || bytes.length > maxBytes)
    throw new SessionError('invalid', 'This file is too large to read (limit: {limit} bytes): {path}', { path, limit: maxBytes });
  return { bytes, mtimeNs: stats.mtimeNs, ino: stats.ino };
}

/** Bytes a small file may grow by between `stat` and read. */
const SLACK = 4096;

const notRegular = (path: string): SessionError => new SessionError('invalid', 'This isn’t a regular file: {path}', { path });
