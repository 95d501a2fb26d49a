/**
 * The database: one SQLite file that the windows share. It holds people's words: its owner alone may read it, and what
 * is taken out is overwritten.
 */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { DamagedDatabase } from './databaseErrors';
import { withSqliteLock } from './sqliteLock';
import { checkSchema, createTables, PAGE_BYTES } from './schema';
import type { SealedFile } from './sealedFile';
import { disableTrustedSchema, loadSqlite } from './sqlite';

/** Milliseconds to wait for another window: in the worker, and where somebody waits for the answer. */
const WRITE_TIMEOUT_MS = 15_000;
const READ_TIMEOUT_MS = 1000;

export interface DatabaseLocation {
  readonly cacheDir: string;
  /** Whether this Node's SQLite has FTS5; without it the words are not indexed, and the file is another one. */
  readonly indexed: boolean;
}

export function databasePath({ cacheDir, indexed }: DatabaseLocation): string {
  return join(cacheDir, indexed ? 'catalog.sqlite' : 'catalog-without-index.sqlite');
}

/** The folder, for its owner alone. */
export function ensureCacheDir(cacheDir: string): void {
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  chmodSync(cacheDir, 0o700);
}

/** Runs `work` while no other window opens the database for writing, checks it, or brings its WAL into it. */
export const withDatabaseLock = <T>(place: DatabaseLocation, work: () => T): T => withSqliteLock(`${databasePath(place)}-lock`, WRITE_TIMEOUT_MS, work);

/** For reading alone, as it is now; `undefined` if there is none that can be used. */
export function openForReading(place: DatabaseLocation): DatabaseSync | undefined {
  const path = databasePath(place);
  // To open a FIFO would take for ever.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: READ_TIMEOUT_MS });
    disableTrustedSchema(database);
    database.exec('PRAGMA cache_size = -16000');
    checkSchema(database, place.indexed);
    return database;
  } catch {
    // The next writer makes it anew.
  }
  database?.close();
  return undefined;
}

/**
 * For writing; made where there is none.
 *
 * @throws {DamagedDatabase} if it isn't as it was written, or of another version.
 */
export function openForWriting(place: DatabaseLocation, file: SealedFile): DatabaseSync {
  ensureCacheDir(place.cacheDir);
  const path = databasePath(place);
  return withDatabaseLock(place, () => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return createDatabase(place, file);
    if (!stats.isFile()) throw new DamagedDatabase('The database is no file.');
    chmodSync(path, 0o600);
    // SQLite doesn't get to see what is damaged.
    file.checkFile();
    return closeOnError(connect(path), (database) => {
      checkSchema(database, place.indexed);
      file.checkState(database);
    });
  });
}

function createDatabase(place: DatabaseLocation, file: SealedFile): DatabaseSync {
  const path = databasePath(place);
  for (const suffix of SIDE_FILE_SUFFIXES) rmSync(path + suffix, { force: true, recursive: true });
  // Made here, so that nobody else can read it for even a moment; what SQLite puts beside it gets the same mode.
  closeSync(openSync(path, 'wx', 0o600));
  return closeOnError(connect(path), (database) => {
    database.exec('BEGIN IMMEDIATE');
    createTables(database, place.indexed);
    database.exec('COMMIT');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    file.seal(database);
  });
}

function connect(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  return closeOnError(new DatabaseSync(path, { timeout: WRITE_TIMEOUT_MS }), (database) => {
    disableTrustedSchema(database);
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY');
    // Checkpoints change the file: they are made where it is sealed.
    database.exec('PRAGMA wal_autocheckpoint = 0');
  });
}

function closeOnError(database: DatabaseSync, work: (database: DatabaseSync) => void): DatabaseSync {
  try {
    work(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** How often everything was taken out of it: a number in the file's head that SQLite leaves to us. */
export function clearCount(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA application_id').get()?.['application_id'] ?? 0);
}

/** Names of what lies beside a database, by what they have behind its own. */
const SIDE_FILE_SUFFIXES = ['-wal', '-shm', '-journal', '-seal', '-seal.new'];

/** Takes a database away, for all that open it from now on; those that have it open keep what was. `ino`: only if it is still that file. */
export function setAside(place: DatabaseLocation, ino?: bigint): void {
  const path = databasePath(place);
  withDatabaseLock(place, () => {
    // Another window was faster.
    if (ino !== undefined && lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== ino) return;
    const aside = `${path}.${process.pid}-${Date.now()}.old`;
    const suffixes = [...SIDE_FILE_SUFFIXES, ''].filter((suffix) => lstatSync(path + suffix, { throwIfNoEntry: false }) !== undefined);
    for (const suffix of suffixes) renameSync(path + suffix, aside + suffix);
    for (const suffix of suffixes) rmSync(aside + suffix, { force: true, recursive: true });
  });
}

/** A statement whose rows are arrays. */
export function rows(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}
