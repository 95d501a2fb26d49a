/** Migrations that a process began and did not live to end: the next start clears up what they left. */
import { readdir, realpath, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isObject } from '../format/entry';
import { exists, isBackup, isBelonging } from './belongings';
import { inGroups } from './inGroups';
import type { Journal } from './journal';
import { contentOf, isAtWork, isDoer, keepFile, keptFile, thisProcess, timedId, type Doer } from './keep';
import { clearLeftovers } from './leftovers';
import { keepFolder } from './ownFolder';
import { isPlainPath } from './plainPath';
import { fileVersion, type FileVersion } from './sessionFile';
import { sameVersion } from './versions';
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
  // Behind a link the file itself is migrated.
  const path = await realpath(resolve(given)).catch(() => undefined);
  const version = path === undefined ? undefined : await versionOf(path);
  if (path === undefined || !version) return () => Promise.resolve();
  await keepFolder(folderOf(journal));
  const note = join(folderOf(journal), `${timedId()}.json`);
  const begun: Begun = { ...thisProcess(), path, version, backups: await backupsOf(path) };
  await keepFile(note, JSON.stringify(begun));
  return async () => {
    await unlink(note).catch(() => undefined);
  };
}

/**
 * Clears up after migrations whose process is gone, by the notes in our storage. Where the old file still stands, its
 * copy and the temporary file go; where the new one is in its place, the backup stays and the journal hears of it.
 *
 * @param onFound hears of each session as it comes, as the disk of another one may hang.
 * @throws what failed, when all others are done; see `inGroups`.
 */
export async function recoverMigrations(journal: Journal, onFound: (path: string) => void): Promise<void> {
  const folder = folderOf(journal);
  if (!(await exists(folder))) return;
  await clearLeftovers(folder);
  const windows = sharedBetweenWindows(journal.folder);
  const end = async (note: string): Promise<void> => {
    const begun = await keptFile(note);
    // A note that did not become whole was for a migration that did not begin; one that is being written goes on.
    if (!isBegun(begun) || isAtWork(begun)) return;
    await clearUp(journal, begun);
    await unlink(note).catch(() => undefined);
    onFound(begun.path);
  };
  const notes = (await readdir(folder)).map((name) => join(folder, name));
  // One window at a time: the other finds no note any more.
  await inGroups(notes, (note) => note, (note) => windows.inTurn(note, () => end(note)));
  await windows.endTurns(() => Promise.resolve());
}

async function clearUp(journal: Journal, { path, since, version, backups }: Begun): Promise<void> {
  const folder = dirname(path);
  const now = await versionOf(path);
  if (!now) return;
  await clearLeftovers(folder);
  const added = (await backupsOf(path)).filter((name) => !backups.includes(name)).map((name) => join(folder, name));
  if (sameVersion(now, version)) {
    for (const backupPath of added) if (await isCopy(backupPath, path)) await unlink(backupPath).catch(() => undefined);
    return;
  }
  const [backupPath] = added;
  if (backupPath !== undefined && now.ino !== version.ino && !(await isJournalled(journal, backupPath, since))) {
    const backup = await contentOf(backupPath);
    await journal.add({ kind: 'migrate', path, backupPath, sizeBefore: backup.size, sizeAfter: now.size, sha256: '', backupSha256: backup.sha256 });
  }
}

/** True for a second file with the same content: without it nothing is lost. */
async function isCopy(backupPath: string, path: string): Promise<boolean> {
  const [backup, file] = [await contentOf(backupPath), await contentOf(path)];
  return backup.size === file.size && backup.sha256 === file.sha256;
}

async function isJournalled(journal: Journal, backupPath: string, since: number): Promise<boolean> {
  for await (const record of journal.records()) {
    if (record.kind === 'migrate' && record.backupPath === backupPath) return true;
    if (Date.parse(record.at) < since) return false;
  }
  return false;
}

async function backupsOf(path: string): Promise<string[]> {
  return (await readdir(dirname(path)).catch(() => [])).filter((name) => isBackup(name) && isBelonging(basename(path), name));
}

async function versionOf(path: string): Promise<FileVersion | undefined> {
  return stat(path, { bigint: true }).then(fileVersion, () => undefined);
}

function isBegun(value: unknown): value is Begun {
  if (!isDoer(value) || !isObject(value)) return false;
  const { path, version, backups } = value as Record<string, unknown>;
  return isPlainPath(path) && isObject(version) && Array.isArray(backups);
}
