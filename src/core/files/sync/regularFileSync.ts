/**
 * The synchronous form of `regularFile`, for worker threads and for the documented `SessionManager`, whose getters
 * return immediately. A disk that hangs blocks the calling thread, so nothing on the extension host's thread may use
 * it.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, statSync, type BigIntStats } from 'node:fs';
import { notRegularFileError, type OpenRegularOptions } from '../io/regularFile';

/**
 * Opens a regular file for reading. The caller closes the descriptor.
 *
 * @throws {SessionError} `not-a-session` for a folder, a FIFO, a socket or a device.
 * @throws {NodeJS.ErrnoException} the system's errors, for example `ENOENT`.
 */
export function openRegularFileSync(
  path: string,
  { followLink = true }: Pick<OpenRegularOptions, 'followLink'> = {},
): { readonly fd: number; readonly stats: BigIntStats } {
  if (!(followLink ? statSync : lstatSync)(path).isFile()) throw notRegularFileError(path);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (followLink ? 0 : constants.O_NOFOLLOW));
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw notRegularFileError(path);
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
