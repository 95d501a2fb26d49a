/** The database's tables, and the check that it has these and no others. */
import type { DatabaseSync } from 'node:sqlite';
import { DamagedDatabase } from '../encoding/damagedDatabase';

/** To be raised whenever the stored data or its encoding changes. A database of another version is rebuilt. */
const SCHEMA_VERSION = 37;

/** The page size in bytes. Large, because much is written at once; the full-text index fills its pages. */
export const PAGE_BYTES = 16 * 1024;

/** The bytes of a page that a row of the full-text index doesn't get: its own header, and the page's. */
const PAGE_HEADERS_BYTES = 64;

/** The size of a page of the full-text index. */
const WORD_PAGE_BYTES = PAGE_BYTES - PAGE_HEADERS_BYTES;

// `n` is a session's number in all tables.
const TABLES = [
  // Texts that many sessions have: folders and models. `Names` writes them.
  'CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)',
  // `folder` and `cwd` are ids in `names`; see `PATH` and `FILE_COLUMNS`.
  'CREATE TABLE sessions (n INTEGER PRIMARY KEY AUTOINCREMENT, folder INTEGER NOT NULL, file TEXT NOT NULL, hash INTEGER NOT NULL, size INTEGER NOT NULL, mtime REAL NOT NULL, ino TEXT NOT NULL, owner TEXT, cwd INTEGER NOT NULL, id TEXT, created REAL, modified REAL NOT NULL, messageCount INTEGER NOT NULL, firstMessage TEXT, dialect TEXT NOT NULL, problems INTEGER NOT NULL, writable INTEGER NOT NULL, isOld INTEGER NOT NULL, rest TEXT)',
  'CREATE TABLE contents (n INTEGER PRIMARY KEY, lines BLOB NOT NULL)',
  // Sessions with text whose words aren't in `words` yet: all that is stored of them besides is complete.
  'CREATE TABLE unindexed (n INTEGER PRIMARY KEY)',
  // The rowids of `words`.
  'CREATE TABLE documents (first INTEGER PRIMARY KEY, n INTEGER NOT NULL, line INTEGER NOT NULL, count INTEGER NOT NULL)',
  'CREATE TABLE labels (n INTEGER NOT NULL, entry TEXT NOT NULL, label TEXT NOT NULL, time REAL NOT NULL, PRIMARY KEY (n, entry)) WITHOUT ROWID',
  // `place`: see `PLACES`. It is the rowid: a key of several columns would be stored twice, and without rowids SQLite moves all
  // but a quarter of a page of each long row to pages of its own.
  // `model` is an id in `names`.
  'CREATE TABLE answers (place INTEGER PRIMARY KEY, model INTEGER NOT NULL, bytes BLOB NOT NULL)',
  'CREATE TABLE touches (place INTEGER PRIMARY KEY, paths TEXT NOT NULL, entries BLOB NOT NULL)',
  // Has a row while what was removed must still be erased from the file (`Indexer.purge`).
  'CREATE TABLE removed (id INTEGER PRIMARY KEY)',
];

/** A session's rows of `answers` and `touches` have the places from its number times this on, in the order in which they were added. */
export const PLACES = 2 ** 24;

/** The path of a row of `sessions`. */
export const PATH = '(SELECT text FROM names WHERE names.id = folder) || file';

const INDEXES = [
  // A hash takes a tenth of the space of the path.
  'CREATE INDEX sessions_by_hash ON sessions (hash)',
  'CREATE INDEX documents_by_session ON documents (n, line)',
];

// Non-ASCII text is split and folded before it is indexed (`LineWordsWriter`), so the simplest tokenizer suffices.
// Without the positions of words, which would double the size of the database: phrases are found in the texts.
const WORDS = `CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='ascii')`;

export function createTables(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  database.exec([...TABLES, ...INDEXES, WORDS].join(';'));
  database.exec(`INSERT INTO words (words, rank) VALUES ('pgsz', ${WORD_PAGE_BYTES})`);
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  database.exec('COMMIT');
}

/** Tables that FTS5 creates for `words`, and SQLite for AUTOINCREMENT. */
const GENERATED_TABLES = /^CREATE TABLE (?:'words_(?:data|idx|docsize|config)'|sqlite_sequence)\(/;

/**
 * Rejects views and triggers too, since they would run when a table is read or written.
 *
 * @throws {DamagedDatabase} unless the database has this version and exactly these tables
 */
export function checkSchema(database: DatabaseSync): void {
  const found = database.prepare('SELECT type, sql FROM sqlite_schema').all();
  const expected = new Set([...TABLES, ...INDEXES, WORDS]);
  for (const { type, sql } of found) {
    const isExpected =
      typeof sql === 'string' ? expected.delete(sql) || (type === 'table' && GENERATED_TABLES.test(sql)) : type === 'index';
    if (!isExpected) throw new DamagedDatabase('The database has tables that aren’t ours.');
  }
  if (expected.size > 0 || Number(database.prepare('PRAGMA user_version').get()?.['user_version']) !== SCHEMA_VERSION)
    throw new DamagedDatabase('The database is of another version.');
}
