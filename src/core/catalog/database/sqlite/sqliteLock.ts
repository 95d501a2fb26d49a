/** A lock shared by all windows that ends with its process, even after a crash: an SQLite lock on a file of its own. */
import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';
import { isDamage } from '../databaseErrors';
import { loadSqlite } from '../../../files/io/loadSqlite';

/** Runs `work` while no other thread or window holds the lock. @throws SQLite's `busy` after `timeout` milliseconds */
export function withSqliteLock<T>(path: string, timeout: number, work: () => T): T {
  for (let first = true; ; first = false) {
    // Anything except a regular file could block, or be followed. SQLite looks into a journal, too.
    for (const file of [path, `${path}-journal`, `${path}-wal`])
      if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) rmSync(file, { recursive: true });
    if (!lstatSync(path, { throwIfNoEntry: false })) closeSync(openSync(path, 'a', 0o600));
    const { DatabaseSync } = loadSqlite();
    const lock = new DatabaseSync(path, { timeout });
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      lock.close();
      if (!first || !isDamage(error)) throw error;
      rmSync(path, { force: true });
      continue;
    }
    try {
      return work();
    } finally {
      lock.close();
    }
  }
}
