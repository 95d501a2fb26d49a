/**
 * Opens files for reading whose paths others can choose: session files, and the small files in their folders. Such a
 * path may lead to a FIFO, which would block the thread that opens it, or to an endless device.
 */
import { close, open as openNow, read, type BigIntStats } from 'node:fs';
import { constants, lstat, open, stat, type FileHandle } from 'node:fs/promises';
import { SessionError } from '../../format/entry/problem';

export interface RegularFile {
  readonly file: FileHandle;
  /** Taken from the open handle. */
  readonly stats: BigIntStats;
}

export interface OpenRegularOptions {
  /** If false, a symbolic link is refused. True by default: a link to a regular file is followed. */
  readonly followLink?: boolean;
  /** Set if the caller has just seen a regular file at the path, by `stat`. Saves a call. False by default. */
  readonly isKnownRegular?: boolean;
  /** Creates the error for anything but a regular file. By default {@link notRegularFileError}. */
  readonly refusal?: (path: string) => SessionError;
}

/**
 * Opens a regular file for reading. The caller closes it.
 *
 * @throws {SessionError} `not-a-session`, or the error that `refusal` returns, for a folder, a FIFO, a socket or a
 *   device.
 * @throws {NodeJS.ErrnoException} the system's error, for example `ENOENT`.
 */
export async function openRegularFile(
  path: string,
  { followLink = true, isKnownRegular: isSeen = false, refusal = notRegularFileError }: OpenRegularOptions = {},
): Promise<RegularFile> {
  // Opening some devices has side effects, so the type is checked before as well as after opening.
  if (!isSeen && !(await (followLink ? stat : lstat)(path)).isFile()) throw refusal(path);
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (followLink ? 0 : constants.O_NOFOLLOW));
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) throw refusal(path);
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A part of a file, and the buffer that receives its bytes. */
export type ReadRange = readonly [offset: number, length: number, room: Buffer];

/**
 * Reads parts of a file that the caller has just seen, by `stat`, to be a regular one. Takes half the time of reading
 * through a file handle. The type isn't checked again: the open doesn't block and no more than the parts is read,
 * whatever is at the path by now.
 *
 * @param followLink if false, a symbolic link is refused
 * @returns the bytes of each part; fewer where the file ends before.
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function readRanges(path: string, parts: readonly ReadRange[], followLink = true): Promise<Buffer[]> {
  const fd = await openForParts(path, followLink);
  try {
    const found: Buffer[] = [];
    for (const [offset, length, room] of parts) {
      let [got, count] = [0, 1];
      for (; got < length && count > 0; got += count) count = await readPart(fd, room, got, length - got, offset + got);
      found.push(room.subarray(0, got));
    }
    return found;
  } finally {
    // The next file doesn't wait until this one is closed.
    close(fd, () => undefined);
  }
}

const openForParts = (path: string, followLink: boolean): Promise<number> =>
  new Promise((resolve, reject) => {
    openNow(path, constants.O_RDONLY | constants.O_NONBLOCK | (followLink ? 0 : constants.O_NOFOLLOW), (error, fd) =>
      error ? reject(error) : resolve(fd),
    );
  });

const readPart = (fd: number, room: Buffer, at: number, length: number, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    read(fd, room, at, length, position, (error, count) => (error ? reject(error) : resolve(count)));
  });

/**
 * Creates the error for a path that has a session's name but isn't a regular file.
 *
 * @returns a `not-a-session` error.
 */
export function notRegularFileError(path: string): SessionError {
  return new SessionError('not-a-session', 'This isn’t a regular file: {path}', { path });
}
