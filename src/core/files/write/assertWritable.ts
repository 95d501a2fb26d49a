/** Checks the permission bits of a file. */
import { SessionError } from '../../format/entry/problem';

const ANY_WRITER = 0o222;

/**
 * @throws {SessionError} `permission` if nobody has write permission. A file that was made read-only is meant to stay,
 * even if this process could write to it.
 */
export function assertWritable(path: string, mode: number): void {
  if ((mode & ANY_WRITER) !== 0) return;
  throw new SessionError(
    'permission',
    'The file is read-only, so nothing is written to it. Make it writable, or fork the session: {path}',
    { path },
  );
}
