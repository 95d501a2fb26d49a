/** Whether a file's owner lets anybody write to it. */
import { SessionError } from '../../format/entry/problem';

const ANY_WRITER = 0o222;

/** @throws {SessionError} `permission`: what was made read-only is meant to stay, even for who could write to it all the same. */
export function assertWritable(path: string, mode: number): void {
  if ((mode & ANY_WRITER) !== 0) return;
  throw new SessionError('permission', 'The file is read-only, so nothing is written to it. Make it writable, or fork the session: {path}', { path });
}
