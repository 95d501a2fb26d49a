/** The database's tables, and that it has these and nothing else. */
import type { DatabaseSync } from 'node:sqlite';
import { DamagedDatabase } from './databaseErrors';

/** To be raised whenever what is stored, or how, changes: a database of another version is made anew. */
const SCHEMA_VERSION = 10;

/** Bytes of a page: what is written at once is much, in few pages. The index fills them by itself. */
export const PAGE_BYTES = 16 * 1024;

/** A session's lines are numbered from its own number times this. */
export const LINES_PER_SESSION = 2 ** 24;

const TABLES = [
  'CREATE TABLE sessions (n INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime REAL NOT NULL, ino TEXT NOT NULL, owner TEXT, row TEXT NOT NULL)',
  'CREATE TABLE bodies (n INTEGER PRIMARY KEY, mark TEXT NOT NULL, lines BLOB NOT NULL, heads BLOB, facts TEXT NOT NULL)',
  'CREATE TABLE labels (n INTEGER NOT NULL, entry TEXT NOT NULL, label TEXT NOT NULL, time REAL NOT NULL, PRIMARY KEY (n, entry)) WITHOUT ROWID',
  'CREATE TABLE usage (n INTEGER NOT NULL, day TEXT NOT NULL, model TEXT NOT NULL, input REAL, output REAL, cacheRead REAL, cacheWrite REAL, cost REAL, PRIMARY KEY (n, day, model)) WITHOUT ROWID',
  'CREATE TABLE touches (n INTEGER NOT NULL, begins INTEGER NOT NULL, paths TEXT NOT NULL, entries BLOB NOT NULL, PRIMARY KEY (n, begins)) WITHOUT ROWID',
  // As `SealedFile` needs it.
  'CREATE TABLE state (one INTEGER PRIMARY KEY, commits INTEGER NOT NULL, base TEXT NOT NULL)',
];

// What is not ASCII is split and folded before it comes here (`LineWordsWriter`), so that the plainest of tokenizers does.
const WORDS = `CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, tokenize='ascii')`;

export function createTables(database: DatabaseSync, indexed: boolean): void {
  database.exec(`${TABLES.join(';')}; INSERT INTO state VALUES (1, 0, '')`);
  if (indexed) database.exec(`${WORDS}; INSERT INTO words (words, rank) VALUES ('pgsz', ${PAGE_BYTES - 384})`);
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** Tables that FTS5 makes for `words`, and SQLite for AUTOINCREMENT. */
const GENERATED_TABLES = /^CREATE TABLE (?:'words_(?:data|idx|docsize|config)'|sqlite_sequence)\(/;

/**
 * A view or a trigger would run when a table is read or written.
 *
 * @throws {DamagedDatabase} unless the database has our version and our tables.
 */
export function checkSchema(database: DatabaseSync, indexed: boolean): void {
  const found = database.prepare('SELECT type, sql FROM sqlite_schema').all() as { type: unknown; sql: unknown }[];
  const expected = new Set(indexed ? [...TABLES, WORDS] : TABLES);
  for (const { type, sql } of found) {
    const isOurs = typeof sql === 'string' ? type === 'table' && (expected.delete(sql) || GENERATED_TABLES.test(sql)) : type === 'index' && sql === null;
    if (!isOurs) throw new DamagedDatabase('The database has tables that aren’t ours.');
  }
  if (expected.size > 0 || Number(database.prepare('PRAGMA user_version').get()?.['user_version']) !== SCHEMA_VERSION) throw new DamagedDatabase('The database is of another version.');
}
