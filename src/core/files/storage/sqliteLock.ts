/**
 * The lock between windows: an exclusive SQLite transaction on a separate file. The system frees it when its process
 * ends, even after a crash.
 */
import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../io/fileErrors';
import { loadSqlite, sqliteCode } from '../io/loadSqlite';
import { SessionInUseError } from '../presence/sessionInUse';

/** Milliseconds that a window waits for another. */
const WAIT_MS = 10_000;
/** Longest pause between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 10;

// Primary result codes, https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
const PASSING_RESULTS: ReadonlySet<number | undefined> = new Set([SQLITE_BUSY, SQLITE_IOERR, SQLITE_CANTOPEN]);

/** Errors that may pass: a file that Windows is deleting, a network disk, too many open files. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'ESTALE', 'EMFILE', 'ENFILE']);

/**
 * Acquires the lock. Blocks the thread until it's free, for at most `timeout` milliseconds.
 *
 * @returns a function that releases it.
 * @throws SQLite's `busy` if another thread or process still holds it
 */
export function acquireSqliteLock(path: string, timeout: number): () => void {
  const { DatabaseSync } = loadSqlite();
  for (let isFirst = true; ; isFirst = false) {
    const file = prepareFile(path);
    const lock = new DatabaseSync(path, { timeout });
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      lock.close();
      const code = sqliteCode(error);
      if (!isFirst || (code !== SQLITE_NOTADB && code !== SQLITE_CORRUPT)) throw error;
      rmSync(path, { force: true });
      continue;
    }
    // The previous holder may have removed the file. Then others lock a new file.
    if (file === identityOf(path)) return () => lock.close();
    lock.close();
  }
}

/**
 * Runs `work` while no other window holds the lock. Waiting doesn't block the thread.
 *
 * @param key the file that the lock is for, which the error names.
 * @throws {SessionInUseError} `live` after ten seconds of waiting.
 */
export async function withSqliteLock<T>(path: string, key: string, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + WAIT_MS;
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const release = tryAcquire(path, performance.now() > end ? () => heldError(key) : undefined);
    if (release) return work().finally(release);
    await wait(pause);
  }
}

const heldError = (path: string): SessionInUseError =>
  new SessionInUseError('live', 'Another window is still writing to this session. Check that window, or fork instead: {path}', { path });

/** Runs `work` under the lock unless another window holds it. */
export async function withFreeSqliteLock(path: string, work: () => Promise<void>): Promise<void> {
  const release = tryAcquire(path);
  if (release) await work().finally(release);
}

/**
 * Tries to acquire the lock.
 *
 * @param giveUp returns the error to throw if another window holds the lock. With it, errors that may pass are thrown, too.
 * @returns a function that releases the lock and removes its file; `undefined` if it has to be tried again.
 */
function tryAcquire(path: string, giveUp?: () => Error): (() => void) | undefined {
  let release: () => void;
  try {
    release = acquireSqliteLock(path, 0);
  } catch (error) {
    if (giveUp) throw sqliteCode(error) === SQLITE_BUSY ? giveUp() : error;
    if (mayPass(error)) return undefined;
    throw error;
  }
  return () => {
    // Windows removes no file that is open. Elsewhere it's removed while it's locked, before the next one locks it.
    if (process.platform !== 'win32') removeFile(path);
    release();
    if (process.platform === 'win32') removeFile(path);
  };
}

/** Includes the errors of a file that its last holder removes in this moment. */
const mayPass = (error: unknown): boolean => PASSING_RESULTS.has(sqliteCode(error)) || TRANSIENT_CODES.has(errorCode(error) ?? '');

/** Creates the file if it's missing, for its owner alone, and returns its identity. */
function prepareFile(path: string): string | undefined {
  // Anything except a regular file could block, or be followed. SQLite looks into a journal, too.
  for (const file of [path, `${path}-journal`, `${path}-wal`])
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) rmSync(file, { recursive: true });
  try {
    // Never opens an existing file: closing it would end the locks that other threads of this process hold.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return identityOf(path);
}

/** Identifies a file even after another file got its inode. */
function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${String(stats.ino)} ${String(stats.birthtimeNs)}`;
}

/** A file that stays is used again. */
function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Another window is waiting for it.
  }
}
