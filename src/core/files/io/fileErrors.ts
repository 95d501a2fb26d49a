/** Maps errors of the file system to `SessionError`. */
import { SessionError } from '../../format/entry/problem';

/** Returns the code of an error of Node, such as `ENOENT`; `undefined` for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns a `SessionError` for failures that a person can fix, otherwise the error itself. */
export function fileError(error: unknown, path: string): unknown {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new SessionError('not-found', 'This session file doesn’t exist: {path}', { path }, { cause: error });
    case 'EISDIR':
      return new SessionError('not-a-session', 'This is a folder, not a session file: {path}', { path }, { cause: error });
    case 'EACCES':
    case 'EPERM':
      return new SessionError('permission', 'Permission denied: {path}', { path }, { cause: error });
    case 'EBUSY':
      return new SessionError('permission', 'Another program has this file open. Try again: {path}', { path }, { cause: error });
    case 'EROFS':
      return new SessionError('permission', 'The file system is read-only: {path}', { path }, { cause: error });
    case 'ENOSPC':
    case 'EDQUOT':
      return new SessionError('no-space', 'There’s no space left, so nothing was saved: {path}', { path }, { cause: error });
    case 'EIO':
      return new SessionError(
        'damaged',
        'The disk reported an error for this file. Nothing was lost, but check the disk: {path}',
        { path },
        { cause: error },
      );
    default:
      return error;
  }
}

/** True if the error reports that nothing is at the path. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
