/** Migrations that a process began and did not live to end: the next start clears up what they left. */
import { readdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isObject } from '../format/entry';
import type { Journal } from './journal';
import { contentOf, isAtWork, isDoer, keepFile, keepFolder, keptFile, thisProcess, timedId, type Doer } from './keep';
import { clearLeftovers } from './leftovers';
import { fileVersion, type FileVersion } from './sessionFile';
import { sharedBetweenWindows } from './windows';

interface Begun extends Doer {
  readonly path: string;
  readonly version: FileVersion;
  /** The names of backups that were there before. */
  readonly backups: readonly string[];
}

const folderOf = (journal: Journal): string => join(journal.folder, 'migrating');

/** Notes that a file is about to be migrated; to be called is what takes the note away. A file that is not there needs none. */
export async function beginMigration(journal: Journal, given: string): Promise<() => Promise<void>> {
  const path = resolve(given);
  const version = await versionOf(path);
  if (!version) return () => Promise.resolve();
  await keepFolder(folderOf(journal));
  const note = join(folderOf(journal), `${timedId()}.json`);
  const begun: Begun = { ...thisProcess(), path, version, backups: await backupsOf(path) };
  await keepFile(note, JSON.stringify(begun));
  return async () => {
    await unlink(note).catch(() => undefined);
  };
}

/**
 * Clears up after migrations whose process is gone. Where the old file still stands, the backup and the
 * temporary file go; where the new one is in its place, the backup stays and the journal hears of it.
 *
 * @returns the sessions that were found.
 */
export async function recoverMigrations(journal: Journal): Promise<string[]> {
  const found: string[] = [];
  await clearLeftovers(folderOf(journal));
  const end = async (note: string): Promise<void> => {
    const begun = await keptFile(note);
    // A note that did not become whole was for a migration that did not begin; one that is being written goes on.
    if (!isBegun(begun) || isAtWork(begun)) return;
    await clearUp(journal, begun);
    await unlink(note).catch(() => undefined);
    found.push(begun.path);
  };
  const windows = sharedBetweenWindows(journal.folder);
  const notes = (await readdir(folderOf(journal)).catch(() => [])).map((name) => join(folderOf(journal), name));
  // One window at a time: the other finds no note any more.
  await Promise.all(notes.map((note) => windows.inTurn(note, () => end(note))));
  return found;
}

async function clearUp(journal: Journal, { path, since, version, backups }: Begun): Promise<void> {
  const folder = dirname(path);
  const now = await versionOf(path);
  if (!now) return;
  await clearLeftovers(folder);
  const added = (await backupsOf(path)).filter((name) => !backups.includes(name)).map((name) => join(folder, name));
  const [backupPath] = added;
  if (backupPath === undefined) return;
  const isUntouched = now.ino === version.ino && now.size === version.size && now.mtimeMs === version.mtimeMs;
  if (isUntouched) {
    await unlink(backupPath).catch(() => undefined);
  } else if (now.ino !== version.ino && !(await isJournalled(journal, backupPath, since))) {
    const backup = await contentOf(backupPath);
    await journal.add({ kind: 'migrate', path, backupPath, sizeBefore: backup.size, sizeAfter: now.size, sha256: '', backupSha256: backup.sha256 });
  }
}

async function isJournalled(journal: Journal, backupPath: string, since: number): Promise<boolean> {
  for await (const record of journal.records()) {
    if (record.kind === 'migrate' && record.backupPath === backupPath) return true;
    if (Date.parse(record.at) < since) return false;
  }
  return false;
}

async function backupsOf(path: string): Promise<string[]> {
  const start = `${basename(path)}.v`;
  return (await readdir(dirname(path)).catch(() => [])).filter((name) => name.startsWith(start) && /^\d\.bak$/.test(name.slice(start.length)));
}

async function versionOf(path: string): Promise<FileVersion | undefined> {
  return stat(path, { bigint: true }).then(fileVersion, () => undefined);
}

function isBegun(value: unknown): value is Begun {
  return isDoer(value) && isObject(value) && typeof value['path'] === 'string' && isObject(value['version']) && Array.isArray(value['backups']);
}
