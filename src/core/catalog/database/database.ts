/**
 * The database: one SQLite file shared by all windows. It contains what people wrote, so only its owner may read it, and
 * removed data is overwritten.
 */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DamagedDatabase } from '../encoding/damagedDatabase';
import { acquireSqliteLock } from '../../files/storage/sqliteLock';
import { checkSchema, createTables, PAGE_BYTES } from './schema';
import { disableTrustedSchema, loadSqlite } from '../../files/io/loadSqlite';

/** The time to wait for other windows, in milliseconds: in the worker, and where a person waits for the answer. */
const WRITE_TIMEOUT_MS = 15_000;
const READ_TIMEOUT_MS = 1000;
/** The time to wait for readings in other windows before the WAL is emptied. */
const EMPTY_TIMEOUT_MS = 2000;
/** The size in bytes that a WAL keeps after a checkpoint. */
const MAX_WAL_BYTES = 16 * 1024 * 1024;

export interface DatabaseLocation {
  readonly cacheDir: string;
}

export const databasePath = ({ cacheDir }: DatabaseLocation): string => join(cacheDir, 'catalog.sqlite');

/** True if there is a database, or something else in its place. */
export const hasDatabase = (location: DatabaseLocation): boolean => exists(databasePath(location));

/** Creates the folder, accessible to its owner only. */
export function ensureCacheDir(cacheDir: string): void {
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  chmodSync(cacheDir, 0o700);
}

/** Runs `work` while no other window opens the database for writing or replaces it. */
export function withDatabaseLock<T>(location: DatabaseLocation, work: () => T): T {
  const release = acquireSqliteLock(`${databasePath(location)}-lock`, WRITE_TIMEOUT_MS);
  try {
    return work();
  } finally {
    release();
  }
}

/** Moves a closed database to a place that has none. @returns false if there is one */
export function placeDatabase(from: DatabaseLocation, to: DatabaseLocation): boolean {
  return withDatabaseLock(to, () => {
    if (hasDatabase(to)) return false;
    renameSync(databasePath(from), databasePath(to));
    return true;
  });
}

/** Opens the database for reading, with a cache of some kilobytes. `undefined` if there is no usable one. */
export function openForReading(location: DatabaseLocation, cacheKb: number): DatabaseSync | undefined {
  const path = databasePath(location);
  if (!exists(path) || !canBeOpened(path)) return undefined;
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: READ_TIMEOUT_MS });
    disableTrustedSchema(database);
    database.exec(`PRAGMA cache_size = -${cacheKb}`);
    checkSchema(database);
    return database;
  } catch {
    // The next writer replaces it.
  }
  database?.close();
  return undefined;
}

/** A database that is open for writing. */
export interface OpenedDatabase {
  readonly database: DatabaseSync;
  /** The file's inode. */
  readonly ino: bigint;
  /** True if it has a WAL that isn't empty: another window has it open, or a process ended without closing it. */
  readonly hadWal: boolean;
}

/**
 * Opens the database for writing, and creates it if it is missing.
 *
 * @throws {DamagedDatabase} if it can't be opened, or has another version
 */
export function openForWriting(location: DatabaseLocation): OpenedDatabase {
  ensureCacheDir(location.cacheDir);
  const path = databasePath(location);
  return withDatabaseLock(location, () => {
    const isNew = !exists(path);
    if (isNew) createFile(path);
    if (!canBeOpened(path)) throw new DamagedDatabase('The database is no file, or there’s something foreign beside it.');
    chmodSync(path, 0o600);
    const hadWal = (lstatSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
    const database = closeOnError(connect(path), (opened) => {
      if (isNew) createTables(opened);
      else checkSchema(opened);
    });
    return { database, ino: lstatSync(path, { bigint: true }).ino, hadWal };
  });
}

/** Moves the WAL into the file, and empties it. @returns false if another connection was reading */
export function emptyWal(database: DatabaseSync): boolean {
  database.exec(`PRAGMA busy_timeout = ${EMPTY_TIMEOUT_MS}`);
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${WRITE_TIMEOUT_MS}`);
  }
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * True if all files that SQLite would open with a database are regular ones: opening a FIFO would never return. A
 * database with a WAL has no rollback journal, so one is foreign.
 */
function canBeOpened(path: string): boolean {
  const areFiles = ['', '-wal', '-shm'].every((suffix) => lstatSync(path + suffix, { throwIfNoEntry: false })?.isFile() !== false);
  return areFiles && !exists(`${path}-journal`);
}

/** Creates an empty file, so that it is never readable by others. SQLite gives the files beside it the same mode. */
function createFile(path: string): void {
  for (const suffix of SIDE_FILE_SUFFIXES) rmSync(path + suffix, { force: true, recursive: true });
  closeSync(openSync(path, 'wx', 0o600));
}

function connect(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  return closeOnError(new DatabaseSync(path, { timeout: WRITE_TIMEOUT_MS }), (database) => {
    disableTrustedSchema(database);
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    database.exec(
      'PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY',
    );
    database.exec(`PRAGMA journal_size_limit = ${MAX_WAL_BYTES}`);
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

/** The number of times that everything was removed. Stored in a field of the file's header that SQLite leaves to applications. */
export function clearCount(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA application_id').get()?.['application_id'] ?? 0);
}

/** The suffixes of a database's further files. */
const SIDE_FILE_SUFFIXES = ['-wal', '-shm', '-journal'];

/**
 * Moves a database out of the way, so that it's missing from now on. Open connections keep it.
 *
 * @param ino only if the file still has this inode
 */
export function setAside(location: DatabaseLocation, ino?: bigint): void {
  const path = databasePath(location);
  withDatabaseLock(location, () => {
    // Another window has replaced it already.
    if (ino !== undefined && lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== ino) return;
    const aside = `${path}.${process.pid}-${Date.now()}.old`;
    const suffixes = [...SIDE_FILE_SUFFIXES, ''].filter((suffix) => lstatSync(path + suffix, { throwIfNoEntry: false }) !== undefined);
    for (const suffix of suffixes) renameSync(path + suffix, aside + suffix);
    for (const suffix of suffixes) rmSync(aside + suffix, { force: true, recursive: true });
  });
}
