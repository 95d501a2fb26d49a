/** A lock that windows share and that ends with its process, whatever happens to it: SQLite's own, on a file of its own. */
import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';
import { isDamage } from './databaseErrors';
import { loadSqlite } from './sqlite';

/** Runs `work` while no other thread or window does under the same lock. @throws SQLite's `busy` after `patience` milliseconds */
export function withSqliteLock<T>(path: string, patience: number, work: () => T): T {
  for (let first = true; ; first = false) {
    // Anything but a file would be waited for, or followed.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) rmSync(path, { recursive: true });
    if (!lstatSync(path, { throwIfNoEntry: false })) closeSync(openSync(path, 'a', 0o600));
    const { DatabaseSync } = loadSqlite();
    const lock = new DatabaseSync(path, { timeout: patience });
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
