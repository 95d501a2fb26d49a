/** Maps errors of the file system to `SessionError`. */
import { SessionError } from '../../format/entry/problem';

/** Returns a `SessionError` for failures that a person can fix, otherwise the error itself. */
export function fileError(error: unknown, path: string): unknown {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new SessionError('not-found', 'There is no such session file: {path}', { path }, { cause: error });
    case 'EISDIR':
      return new SessionError('not-a-session', 'This is a folder, not a session file: {path}', { path }, { cause: error });
    case 'EACCES':
    case 'EPERM':
      return new SessionError('permission', 'You have no permission for this: {path}', { path }, { cause: error });
    case 'EROFS':
      return new SessionError('permission', 'The file system is read-only: {path}', { path }, { cause: error });
    case 'ENOSPC':
    case 'EDQUOT':
      return new SessionError('no-space', 'There is no space left for writing to {path}; nothing was written.', { path }, { cause: error });
    case 'EIO':
      return new SessionError(
        'damaged',
        'The disk reported an error at this file; nothing is lost that was there before, but the disk should be looked at: {path}',
        { path },
        { cause: error },
      );
    default:
      return error;
  }
}

/** True if the error reports that nothing is at the path. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
