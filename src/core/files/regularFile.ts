/**
 * Opens files for reading whose paths others can choose: session files, and the small files beside them.
 * The path may lead to a FIFO, which would block the thread that opens it, or to a device without an end.
 */
import type { BigIntStats } from 'node:fs';
import { constants, lstat, open, stat, type FileHandle } from 'node:fs/promises';
import { SessionError } from '../format/problem';

export interface RegularFile {
  readonly file: FileHandle;
  /** Taken from the open handle. */
  readonly stats: BigIntStats;
}

export interface OpenRegularOptions {
  /** Whether the path may be a symbolic link to a regular file. True by default; otherwise a link is refused. */
  readonly followLink?: boolean;
  /** Whether the caller has just seen, by `stat`, that a regular file is there: that saves a call. False by default. */
  readonly isSeen?: boolean;
  /** The error for anything but a regular file. By default {@link notAFile}. */
  readonly refusal?: (path: string) => SessionError;
}

/**
 * Opens a regular file for reading. The caller closes it.
 *
 * @throws {SessionError} `not-a-session`, or what `refusal` returns, for a folder, a FIFO, a socket or a device.
 * @throws {NodeJS.ErrnoException} what the system reports, for example `ENOENT`.
 */
export async function openRegularFile(path: string, { followLink = true, isSeen = false, refusal = notAFile }: OpenRegularOptions = {}): Promise<RegularFile> {
  // Opening some devices has an effect of its own, so the type is checked before as well as after opening.
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

/** The error for something that has a session's name and isn't a regular file. */
export function notAFile(path: string): SessionError {
  return new SessionError('not-a-session', 'This is not a regular file: {path}', { path });
}
