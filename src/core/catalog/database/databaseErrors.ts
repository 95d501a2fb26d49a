/** Classifies errors of the database by their remedy: another database, or something that the person can do. */
import { errorCode } from '../../files/io/fileErrors';
import { extendedSqliteCode } from '../../files/io/loadSqlite';
import { SessionError } from '../../format/entry/problem';
import { DamagedDatabase } from '../encoding/damagedDatabase';

// Primary result codes, https://www.sqlite.org/rescode.html
const SQLITE_ERROR = 1;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_FORMAT = 24;
const SQLITE_NOTADB = 26;
/** Damage, or a missing table. */
const DAMAGE: readonly (number | undefined)[] = [SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_NOTADB];
/** Extended codes: a truncated or unreadable file, a damaged file system, a foreign journal. */
const DAMAGE_EXTENDED: readonly (number | undefined)[] = [
  SQLITE_IOERR | (1 << 8),
  SQLITE_IOERR | (2 << 8),
  SQLITE_IOERR | (32 << 8),
  SQLITE_IOERR | (33 << 8),
  SQLITE_READONLY | (3 << 8),
];

/** Distinguishes errors of the database from errors of a session file. */
export const isDatabaseError = (error: unknown): boolean => error instanceof DamagedDatabase || extendedSqliteCode(error) !== undefined;

export function isDamage(error: unknown): boolean {
  const code = extendedSqliteCode(error);
  return error instanceof DamagedDatabase || (code !== undefined && (DAMAGE.includes(code & 0xff) || DAMAGE_EXTENDED.includes(code)));
}

/** Maps SQLite errors to `SessionError`; returns other errors unchanged. */
export function mapDatabaseError(error: unknown, cacheDir: string): unknown {
  const code = errorCode(error);
  const primary = (extendedSqliteCode(error) ?? 0) & 0xff;
  if (primary === SQLITE_FULL || code === 'ENOSPC' || code === 'EDQUOT') {
    return new SessionError(
      'no-space',
      'There’s no space left for the search index, so not all sessions can be searched: {path}',
      { path: cacheDir },
      { cause: error },
    );
  }
  if (isDamage(error)) {
    return new SessionError(
      'damaged',
      'The search index is damaged and couldn’t be rebuilt, so not all sessions can be searched: {path}',
      { path: cacheDir },
      { cause: error },
    );
  }
  if (primary === SQLITE_READONLY || primary === SQLITE_CANTOPEN || code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new SessionError(
      'permission',
      'The search index can’t be written, so sessions can’t be searched: {path}',
      { path: cacheDir },
      { cause: error },
    );
  }
  return error;
}
