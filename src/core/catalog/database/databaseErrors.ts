/** Errors of the database, sorted by what helps: another database, or something the person can do. */
import { SessionError } from '../../format/entry/problem';

/** What is stored isn't what was written. Only a new database helps. */
export class DamagedDatabase extends Error {
  override readonly name = 'DamagedDatabase';
  /** `ino`: the file's number, where it is known. */
  constructor(
    message: string,
    readonly ino?: bigint,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

// Primary result codes, https://www.sqlite.org/rescode.html
const SQLITE_ERROR = 1;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_FORMAT = 24;
const SQLITE_NOTADB = 26;
/** Damage by itself, or without a table that must be there. */
const DAMAGE: readonly (number | undefined)[] = [SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_NOTADB];
/** Extended codes: a file that ends early or can't be read, a file system that is damaged, a journal that isn't ours. */
const DAMAGE_EXTENDED: readonly (number | undefined)[] = [SQLITE_IOERR | (1 << 8), SQLITE_IOERR | (2 << 8), SQLITE_IOERR | (32 << 8), SQLITE_IOERR | (33 << 8), SQLITE_READONLY | (3 << 8)];

/** SQLite's extended result code; `undefined` for other errors. */
function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === 'number' ? code : undefined;
}

/** Tells an error of the database from one of a session file. */
export const isDatabaseError = (error: unknown): boolean => error instanceof DamagedDatabase || sqliteCode(error) !== undefined;

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return error instanceof DamagedDatabase || (code !== undefined && (DAMAGE.includes(code & 0xff) || DAMAGE_EXTENDED.includes(code)));
}

/** An error of the database in our words; others as they are. */
export function mapDatabaseError(error: unknown, cacheDir: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const primary = (sqliteCode(error) ?? 0) & 0xff;
  if (primary === SQLITE_FULL || code === 'ENOSPC' || code === 'EDQUOT') {
    return new SessionError('no-space', 'There is no space left for the catalog in {path}; sessions are shown, but not all can be searched.', { path: cacheDir }, { cause: error });
  }
  if (isDamage(error)) {
    return new SessionError('damaged', 'The catalog in {path} is damaged and couldn’t be rebuilt; sessions are shown, but not all can be searched.', { path: cacheDir }, { cause: error });
  }
  if (primary === SQLITE_READONLY || primary === SQLITE_CANTOPEN || code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new SessionError('permission', 'The catalog can’t be written to {path}; sessions are shown, but can’t be searched.', { path: cacheDir }, { cause: error });
  }
  return error;
}

/** Stored JSON. @throws {DamagedDatabase} */
export function parseStoredJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DamagedDatabase('Stored JSON is damaged.', undefined, { cause: error });
  }
}

/** A stored list of texts. @throws {DamagedDatabase} */
export function parseStoredStrings(text: string): string[] {
  const texts = parseStoredJson(text);
  if (!Array.isArray(texts) || texts.some((one) => typeof one !== 'string')) throw new DamagedDatabase('A stored list isn’t one.');
  return texts as string[];
}
