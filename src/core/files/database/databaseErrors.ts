/** The reason why a database can't be read. */
import { SessionError } from '../../format/entry/problem';

/** The database contradicts its own format, or isn't one. */
export class CorruptDatabase extends Error {}

/** Returns a `CorruptDatabase` for the error that a read behind a page's end throws; any other error is returned unchanged. */
export const asCorrupt = (error: unknown): unknown => (error instanceof RangeError ? new CorruptDatabase('a page is damaged') : error);

/** The database was changed in a way that invalidates what was read of it; reading it again succeeds. */
export class DatabaseMoved extends Error {}

/** Creates the error for a session whose part of the database is damaged. */
export const damagedSession = (error: CorruptDatabase, path: string): SessionError =>
  new SessionError(
    'not-a-session',
    'Can’t read this session from its database ({reason}). It wasn’t changed: {path}',
    { reason: error.message, path },
    { cause: error },
  );

/** Returns the `SessionError` for an error of this folder; any other error is returned unchanged. */
export function databaseError(error: unknown, path: string): unknown {
  if (error instanceof CorruptDatabase)
    return new SessionError(
      'not-a-session',
      'Can’t read this database ({reason}). It wasn’t changed: {path}',
      { reason: error.message, path },
      { cause: error },
    );
  if (error instanceof DatabaseMoved)
    return new SessionError(
      'changed',
      'The database kept changing while it was being read. Refresh and try again: {path}',
      { path },
      { cause: error },
    );
  return error;
}
