/** Recovers from migrations whose process was killed: the next start cleans up what they left. */
import { readdir, realpath, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isObject } from '../../format/entry/jsonValues';
import { isBackup, isRelatedName } from '../trash/relatedPaths';
import { isChangeable } from '../locate/readOnlyRoots';
import type { Writer } from '../write/sessionWriter';
import type { Journal } from './journal';
import { digestFile, writePrivateFile, readPrivateJson, timeOrderedId } from '../storage/privateStorage';
import { mayBeRunning, isProcessIdentity, currentProcess, type ProcessIdentity } from '../storage/processIdentity';
import { removeStaleTemporaryFiles } from '../storage/temporaryFiles';
import { makePrivateFolder } from '../storage/privateFolder';
import { isNormalAbsolutePath } from '../storage/pathChecks';
import { fileVersion, type FileVersion } from '../read/sessionFile';
import { sameVersion } from '../read/compareVersions';
import { endRecords } from '../storage/records';

interface MigrationRecord extends ProcessIdentity {
  readonly path: string;
  readonly version: FileVersion;
  /** Names of the backups that existed before. */
  readonly backups: readonly string[];
}

const folderOf = (journal: Journal): string => join(journal.folder, 'migrating');

/**
 * Records that a file is about to be migrated. A missing file needs no record.
 *
 * @returns a function that removes the record.
 */
export async function beginMigration(journal: Journal, given: string): Promise<() => Promise<void>> {
  // For a link its target is migrated.
  const path = await realpath(resolve(given)).catch(() => undefined);
  const version = path === undefined ? undefined : await versionIfExists(path);
  if (path === undefined || !version) return () => Promise.resolve();
  await makePrivateFolder(folderOf(journal));
  const note = join(folderOf(journal), `${timeOrderedId()}.json`);
  const begun: MigrationRecord = { ...currentProcess(), path, version, backups: await backupsOf(path) };
  await writePrivateFile(note, JSON.stringify(begun));
  return async () => {
    await unlink(note).catch(() => undefined);
  };
}

/**
 * Cleans up after migrations whose process is gone, according to the records in the extension's storage. If the old
 * file is still in place, its copy and the temporary file are removed. If the new one is, the backup stays and the
 * migration is recorded in the journal.
 *
 * @param writer its guard keeps the record of a file in a read-only root for a later start.
 * @param onFound receives each session as soon as it's cleaned up, since the disk of another may hang.
 * @throws all failures, after the other files are done; see `runGrouped`.
 */
export async function recoverMigrations(
  journal: Journal,
  writer: Pick<Writer, 'assertChangeable'>,
  onFound: (path: string) => void,
): Promise<void> {
  const end = async (note: string): Promise<void> => {
    const begun = await readPrivateJson(note);
    // An incomplete record belongs to a migration that never began. That of a running process is still in use.
    if (!isMigrationRecord(begun) || mayBeRunning(begun)) return;
    if (!(await isChangeable(writer.assertChangeable, begun.path))) return;
    await cleanUpMigration(journal, begun);
    await unlink(note).catch(() => undefined);
    onFound(begun.path);
  };
  await endRecords(folderOf(journal), journal.folder, end);
}

async function cleanUpMigration(journal: Journal, { path, since, version, backups }: MigrationRecord): Promise<void> {
  const folder = dirname(path);
  const now = await versionIfExists(path);
  if (!now) return;
  await removeStaleTemporaryFiles(folder);
  const added = (await backupsOf(path)).filter((name) => !backups.includes(name)).map((name) => join(folder, name));
  if (sameVersion(now, version)) {
    for (const backupPath of added) if (await isCopy(backupPath, path)) await unlink(backupPath).catch(() => undefined);
    return;
  }
  const [backupPath] = added;
  if (backupPath !== undefined && now.ino !== version.ino && !(await isJournaled(journal, backupPath, since))) {
    const backup = await digestFile(backupPath);
    await journal.add({
      kind: 'migrate',
      path,
      backupPath,
      sizeBefore: backup.size,
      sizeAfter: now.size,
      sha256: '',
      backupSha256: backup.sha256,
    });
  }
}

/** True for a second file with the same content, which can be removed without loss. */
async function isCopy(backupPath: string, path: string): Promise<boolean> {
  const [backup, file] = [await digestFile(backupPath), await digestFile(path)];
  return backup.size === file.size && backup.sha256 === file.sha256;
}

async function isJournaled(journal: Journal, backupPath: string, since: number): Promise<boolean> {
  for await (const record of journal.records()) {
    if (record.kind === 'migrate' && record.backupPath === backupPath) return true;
    if (Date.parse(record.at) < since) return false;
  }
  return false;
}

async function backupsOf(path: string): Promise<string[]> {
  return (await readdir(dirname(path)).catch(() => [])).filter((name) => isBackup(name) && isRelatedName(basename(path), name));
}

async function versionIfExists(path: string): Promise<FileVersion | undefined> {
  return stat(path, { bigint: true }).then(fileVersion, () => undefined);
}

function isMigrationRecord(value: unknown): value is MigrationRecord {
  if (!isProcessIdentity(value) || !isObject(value)) return false;
  const { path, version, backups } = value;
  return isNormalAbsolutePath(path) && isObject(version) && Array.isArray(backups);
}
