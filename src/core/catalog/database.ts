/**
 * The database: one SQLite file that the windows share. It holds people's words: its owner alone may read it, and what
 * is taken out is overwritten.
 */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { DamagedDatabase } from './damage';
import { underLock } from './lockFile';
import { checkSchema, createTables, PAGE } from './schema';
import type { SealedFile } from './seal';
import { distrust, loadSqlite } from './sqlite';

/** Milliseconds to wait for another window: in the worker, and where somebody waits for the answer. */
const PATIENCE = 15_000;
const SHORT_PATIENCE = 1000;

export interface DatabasePlace {
  readonly cacheDir: string;
  /** Whether this Node's SQLite has FTS5; without it the words are not indexed, and the file is another one. */
  readonly indexed: boolean;
}

export function databasePath({ cacheDir, indexed }: DatabasePlace): string {
  return join(cacheDir, indexed ? 'catalog.sqlite' : 'catalog-without-index.sqlite');
}

/** The folder, for its owner alone. */
export function makeCacheDir(cacheDir: string): void {
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  chmodSync(cacheDir, 0o700);
}

/** Runs `work` while no other window opens the database for writing, checks it, or brings its WAL into it. */
export const whileLocked = <T>(place: DatabasePlace, work: () => T): T => underLock(`${databasePath(place)}-lock`, PATIENCE, work);

/** For reading alone, as it is now; `undefined` if there is none that can be used. */
export function openForReading(place: DatabasePlace): DatabaseSync | undefined {
  const path = databasePath(place);
  // To open a FIFO would take for ever.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: SHORT_PATIENCE });
    distrust(database);
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
export function openForWriting(place: DatabasePlace, file: SealedFile): DatabaseSync {
  makeCacheDir(place.cacheDir);
  const path = databasePath(place);
  return whileLocked(place, () => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return created(place, file);
    if (!stats.isFile()) throw new DamagedDatabase('The database is no file.');
    chmodSync(path, 0o600);
    // SQLite doesn't get to see what is damaged.
    file.checkFile();
    return closedIfItThrows(connect(path), (database) => {
      checkSchema(database, place.indexed);
      file.checkState(database);
    });
  });
}

function created(place: DatabasePlace, file: SealedFile): DatabaseSync {
  const path = databasePath(place);
  for (const suffix of BESIDE) rmSync(path + suffix, { force: true, recursive: true });
  // Made here, so that nobody else can read it for even a moment; what SQLite puts beside it gets the same mode.
  closeSync(openSync(path, 'wx', 0o600));
  return closedIfItThrows(connect(path), (database) => {
    database.exec('BEGIN IMMEDIATE');
    createTables(database, place.indexed);
    database.exec('COMMIT');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    file.seal(database);
  });
}

function connect(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  return closedIfItThrows(new DatabaseSync(path, { timeout: PATIENCE }), (database) => {
    distrust(database);
    database.exec(`PRAGMA page_size = ${PAGE}`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY');
    // Checkpoints change the file: they are made where it is sealed.
    database.exec('PRAGMA wal_autocheckpoint = 0');
  });
}

function closedIfItThrows(database: DatabaseSync, work: (database: DatabaseSync) => void): DatabaseSync {
  try {
    work(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** How often everything was taken out of it: a number in the file's head that SQLite leaves to us. */
export function timesCleared(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA application_id').get()?.['application_id'] ?? 0);
}

/** Names of what lies beside a database, by what they have behind its own. */
const BESIDE = ['-wal', '-shm', '-journal', '-seal', '-seal.new'];

/** Takes a database away, for all that open it from now on; those that have it open keep what was. `ino`: only if it is still that file. */
export function setAside(place: DatabasePlace, ino?: bigint): void {
  const path = databasePath(place);
  whileLocked(place, () => {
    // Another window was faster.
    if (ino !== undefined && lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== ino) return;
    const aside = `${path}.${process.pid}-${Date.now()}.old`;
    const suffixes = [...BESIDE, ''].filter((suffix) => lstatSync(path + suffix, { throwIfNoEntry: false }) !== undefined);
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
