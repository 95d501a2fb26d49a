/** Records of changes that are under way, in a folder of the extension's storage. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runGrouped } from '../concurrency/runGrouped';
import { exists } from '../io/exists';
import { withLock } from './crossWindowLocks';
import { removeStaleTemporaryFiles } from './temporaryFiles';

/**
 * Handles each record of a folder, in one window at a time: the next window finds the record removed.
 *
 * @param locks the folder with the locks.
 * @param end ends the change of the record at a path, and removes the record.
 * @throws all failures, after the other records are handled; see `runGrouped`.
 */
export async function endRecords(folder: string, locks: string, end: (record: string) => Promise<void>): Promise<void> {
  if (!(await exists(folder))) return;
  await removeStaleTemporaryFiles(folder);
  const records = (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  await runGrouped(
    records,
    (record) => record,
    (record) => withLock(locks, record, () => end(record)),
  );
}
