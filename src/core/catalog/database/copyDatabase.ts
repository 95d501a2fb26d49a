/** Begins a database as a copy of another one, so that the sessions that it has needn't be read again. The other one isn't opened or changed. */
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyToNewFile } from '../../files/io/copyFile';
import { isMissing } from '../../files/io/fileErrors';
import { openRegularFile } from '../../files/io/regularFile';
import { isProcessRunning } from '../../files/storage/processIdentity';
import { databasePath, emptyWal, ensureCacheDir, hasDatabase, openForWriting, placeDatabase, type DatabaseLocation } from './database';

/** A file that was written in the last two seconds isn't copied: its time couldn't tell that it's written again. */
const QUIET_MS = 2000;

/**
 * Copies a database of this version that nobody writes meanwhile, to a place that has none.
 *
 * @returns true if it was copied
 * @throws if it can't be read or opened, or the copy can't be written
 */
export async function copyDatabase(from: DatabaseLocation, to: DatabaseLocation): Promise<boolean> {
  if (hasDatabase(to) || !hasDatabase(from)) return false;
  ensureCacheDir(to.cacheDir);
  await removeStaleCopies(to);
  const copy = { cacheDir: await mkdtemp(join(to.cacheDir, `copy-${process.pid}-`)) };
  try {
    if (!(await copyFiles(databasePath(from), databasePath(copy)))) return false;
    takeWal(copy);
    return placeDatabase(copy, to);
  } finally {
    await rm(copy.cacheDir, { recursive: true, force: true });
  }
}

/** Removes the folders of processes that ended while they copied. A process of another machine may lose its copy, and then reads everything. */
async function removeStaleCopies({ cacheDir }: DatabaseLocation): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const pid = /^copy-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isProcessRunning(Number(pid))) await rm(join(cacheDir, name), { recursive: true, force: true });
  }
}

/** Copies the database and its WAL. @returns false if one of them changed meanwhile */
async function copyFiles(from: string, to: string): Promise<boolean> {
  const before = await Promise.all(SUFFIXES.map((suffix) => versionOf(from + suffix)));
  if (before.some((version) => version !== undefined && Date.now() - version.mtimeMs < QUIET_MS)) return false;
  for (const [at, suffix] of SUFFIXES.entries()) {
    if (!before[at]) continue;
    const { file } = await openRegularFile(from + suffix, { followLink: false });
    try {
      await copyToNewFile(file, to + suffix, 0o600);
    } finally {
      await file.close();
    }
  }
  const after = await Promise.all(SUFFIXES.map((suffix) => versionOf(from + suffix)));
  return after.every((version, at) => version?.text === before[at]?.text);
}

const SUFFIXES = ['', '-wal'];

async function versionOf(path: string): Promise<{ readonly text: string; readonly mtimeMs: number } | undefined> {
  try {
    const { size, mtimeMs, ino } = await lstat(path);
    return { text: `${String(size)} ${String(mtimeMs)} ${String(ino)}`, mtimeMs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Moves the WAL into the database. @throws {DamagedDatabase} if it's of another version; the errors of SQLite. Damage within it shows later, as in any other. */
function takeWal(location: DatabaseLocation): void {
  const { database } = openForWriting(location);
  try {
    emptyWal(database);
  } finally {
    database.close();
  }
}
