/**
 * The database: one SQLite file that the windows share. It holds people's words: its owner alone may read it, and what
 * is taken out is overwritten. `node:sqlite` is asked for when it is needed: not every Node has it.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type * as Sqlite from 'node:sqlite';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SessionError } from '../format/problem';

/** To be raised whenever what is stored, or how, changes: a database of another version is made anew. */
const VERSION = 9;
/** Milliseconds to wait for another window: in the worker, and where somebody waits for the answer. */
const PATIENCE = 15_000;
const SHORT_PATIENCE = 1000;

/** Bytes of a page: what is written at once is much, in few pages. The index fills them by itself. */
const PAGE = 16 * 1024;

/** A session's lines are numbered from its own number times this. */
export const LINES = 2 ** 24;

const SCHEMA = `
  CREATE TABLE sessions (n INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime REAL NOT NULL, ino TEXT NOT NULL, owner TEXT, row TEXT NOT NULL);
  CREATE TABLE bodies (n INTEGER PRIMARY KEY, mark TEXT NOT NULL, lines BLOB NOT NULL, heads BLOB, facts TEXT NOT NULL);
  CREATE TABLE labels (n INTEGER NOT NULL, entry TEXT NOT NULL, label TEXT NOT NULL, time REAL NOT NULL, PRIMARY KEY (n, entry)) WITHOUT ROWID;
  CREATE TABLE usage (n INTEGER NOT NULL, day TEXT NOT NULL, model TEXT NOT NULL, input REAL, output REAL, cacheRead REAL, cacheWrite REAL, cost REAL, PRIMARY KEY (n, day, model)) WITHOUT ROWID;
  CREATE TABLE touches (n INTEGER NOT NULL, begins INTEGER NOT NULL, paths TEXT NOT NULL, entries BLOB NOT NULL, PRIMARY KEY (n, begins)) WITHOUT ROWID;
`;

// What is not ASCII is split and folded before it comes here (`WordBytes`), so that the plainest of tokenizers does.
const WORDS = `CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, tokenize='ascii'); INSERT INTO words (words, rank) VALUES ('pgsz', ${PAGE - 384});`;

export interface DatabasePlace {
  readonly cacheDir: string;
  /** Whether this Node's SQLite has FTS5; without it the words are not indexed, and the file is another one. */
  readonly indexed: boolean;
}

/** @throws {SessionError} `invalid` where this Node has no SQLite. */
export function loadSqlite(): typeof Sqlite {
  const sqlite = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined;
  if (!sqlite) throw new SessionError('invalid', 'This version of Node.js ({version}) has no SQLite, so there is no catalog and no search.', { version: process.versions.node });
  return sqlite;
}

/** Whether this Node's SQLite was built with FTS5. */
export function hasIndex(): boolean {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(':memory:');
  try {
    return database.prepare(`SELECT 1 FROM pragma_module_list WHERE name = 'fts5'`).get() !== undefined;
  } finally {
    database.close();
  }
}

export function databasePath({ cacheDir, indexed }: DatabasePlace): string {
  return join(cacheDir, indexed ? 'catalog.sqlite' : 'catalog-without-index.sqlite');
}

/** The folder, for its owner alone. */
export function makeCacheDir(cacheDir: string): void {
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  chmodSync(cacheDir, 0o700);
}

/** For reading alone, as it is now; `undefined` if there is none that can be used. */
export function openForReading(place: DatabasePlace): DatabaseSync | undefined {
  const path = databasePath(place);
  if (!existsSync(path)) return undefined;
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: SHORT_PATIENCE });
    database.exec('PRAGMA cache_size = -16000');
    if (versionOf(database) === VERSION) return database;
  } catch {
    // Whoever writes next makes it anew.
  }
  database?.close();
  return undefined;
}

/** For writing; one that is broken or of another version is made anew. */
export function openForWriting(place: DatabasePlace): DatabaseSync {
  const path = databasePath(place);
  makeCacheDir(place.cacheDir);
  try {
    return opened(path, place.indexed);
  } catch (error) {
    if (!isBroken(error)) throw error;
    setAside(path);
    return opened(path, place.indexed);
  }
}

function opened(path: string, indexed: boolean): DatabaseSync {
  // Made here, so that nobody else can read it for even a moment; what SQLite puts beside it gets the same mode.
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout: PATIENCE });
  try {
    database.exec(`PRAGMA page_size = ${PAGE}`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY');
    database.exec('BEGIN IMMEDIATE');
    const version = versionOf(database);
    if (version === 0) database.exec(`${SCHEMA}${indexed ? WORDS : ''} PRAGMA user_version = ${VERSION}`);
    database.exec('COMMIT');
    if (version !== 0 && version !== VERSION) throw new OtherVersion();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

class OtherVersion extends Error {}

/** How often everything was taken out of it: a number in the file's head that SQLite leaves to us. */
export function timesCleared(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA application_id').get()?.['application_id'] ?? 0);
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

const SQLITE_ERROR = 1;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** The primary code of an error of SQLite's. */
function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** Whether only a new database helps: no database at all, damaged, of another version, or without a table it must have. */
export function isBroken(error: unknown): boolean {
  return error instanceof OtherVersion || [SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_NOTADB].includes(sqliteCode(error) ?? 0);
}

/** Errors of the database in our words. */
export function databaseError(error: unknown, cacheDir: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (sqliteCode(error) === SQLITE_FULL || code === 'ENOSPC' || code === 'EDQUOT') {
    return new SessionError('no-space', 'There is no space left for the catalog in {path}; sessions are shown, but not all can be searched.', { path: cacheDir }, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new SessionError('permission', 'The catalog can’t be written to {path}; sessions are shown, but can’t be searched.', { path: cacheDir }, { cause: error });
  }
  return error;
}

/** Takes a database away, for all who come now: whoever has it open keeps what was. */
export function setAside(path: string): void {
  const aside = `${path}.${process.pid}-${Date.now()}.old`;
  for (const suffix of ['-wal', '-shm', '']) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  for (const suffix of ['-wal', '-shm', '']) rmSync(aside + suffix, { force: true });
}

/** A statement whose rows are arrays. */
export function rows(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}
