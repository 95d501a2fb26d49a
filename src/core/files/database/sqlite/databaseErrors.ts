/** The reason why a database can't be read. */
import { SessionError } from '../../../format/entry/problem';
import { errorCode } from '../../io/fileErrors';
import { sqliteCode } from '../../io/loadSqlite';

/** The database contradicts its own format, or isn't one of OpenClaw. */
export class CorruptDatabase extends Error {}

/** The database is locked or changed while it was read; a moment later it can be read. */
export class DatabaseBusy extends Error {}

/** The session was rewritten since it was opened. */
export class DatabaseMoved extends Error {}

// Primary result codes, https://www.sqlite.org/rescode.html
const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_NOMEM = 7;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_PROTOCOL = 15;
const SQLITE_TOOBIG = 18;
const SQLITE_AUTH = 23;
const SQLITE_FORMAT = 24;
const SQLITE_NOTADB = 26;

/** SQLite's own messages may contain texts of the database. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [SQLITE_ERROR, 'its tables aren’t those of OpenClaw'],
  [SQLITE_NOMEM, 'a value is too large'],
  [SQLITE_IOERR, 'a part of it can’t be read'],
  [SQLITE_CORRUPT, 'it’s damaged'],
  [SQLITE_TOOBIG, 'a value is too large'],
  [SQLITE_AUTH, 'its tables aren’t those of OpenClaw'],
  [SQLITE_FORMAT, 'it’s damaged'],
  [SQLITE_NOTADB, 'it isn’t an SQLite database'],
]);

/** Returns the error of this folder for one of SQLite; any other error is returned unchanged. */
export function readingError(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED || code === SQLITE_PROTOCOL) return new DatabaseBusy('', { cause: error });
  if (code === SQLITE_CANTOPEN || code === SQLITE_READONLY)
    return new SessionError(
      'permission',
      'SQLite can’t open this database. Check the permissions of its file and its folder: {path}',
      { path },
      { cause: error },
    );
  const reason = code === undefined ? undefined : REASONS.get(code);
  if (reason !== undefined) return new CorruptDatabase(reason, { cause: error });
  // Node refuses integers that a number can't have.
  return errorCode(error) === 'ERR_OUT_OF_RANGE' ? new CorruptDatabase('a number is too large', { cause: error }) : error;
}

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
  if (error instanceof DatabaseMoved || error instanceof DatabaseBusy)
    return new SessionError(
      'changed',
      'The database kept changing while it was being read. Refresh and try again: {path}',
      { path },
      { cause: error },
    );
  return error;
}
