/** Recovers from migrations whose process was killed: the next start cleans up their files. */
import { readdir, realpath, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isListOf, isObjectOf, isText } from '../../format/values/checks';
import { isBackup, isRelatedName } from '../trash/relatedPaths';
import { isChangeable } from '../locate/readOnlyRoots';
import type { Writer } from '../write/sessionWriter';
import { hasRecordSince, type Journal } from './journal';
import { beginOperation, type OperationHandler } from '../storage/operationRecord';
import { digestFile } from '../storage/privateStorage';
import { mayBeRunning } from '../storage/processIdentity';
import { removeStaleTemporaryFiles } from '../storage/temporaryFiles';
import { isNormalAbsolutePath } from '../storage/pathChecks';
import { fileVersion, isFileVersion, type FileVersion } from '../read/versions/fileVersion';
import { sameVersion } from '../read/versions/compareVersions';

interface Migration {
  readonly path: string;
  readonly version: FileVersion;
  /** Names of the backups that existed before. */
  readonly backups: readonly string[];
}

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
  const migration: Migration = { path, version, backups: await backupsOf(path) };
  return (await beginOperation(journal.folder, 'migrating', migration)).done;
}

/**
 * Returns a handler that cleans up after a migration. If the old file is still in place, its copy and the temporary file
 * are removed. If the new one is, the backup stays and the migration is recorded in the journal.
 *
 * @param writer its guard keeps the record of a file in a read-only root for a later start.
 * @param onFound receives each session as soon as it's cleaned up, since the disk of another may hang.
 */
export function migrationHandler(
  journal: Journal,
  writer: Pick<Writer, 'assertChangeable'>,
  onFound: (path: string) => void,
): OperationHandler {
  return async ({ subject, process }) => {
    if (!isMigration(subject) || mayBeRunning(process)) return false;
    if (!(await isChangeable(writer.assertChangeable, subject.path))) return false;
    await cleanUpMigration(journal, subject, process.since);
    onFound(subject.path);
    return true;
  };
}

async function cleanUpMigration(journal: Journal, { path, version, backups }: Migration, since: number): Promise<void> {
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
  if (backupPath === undefined || now.ino === version.ino) return;
  if (!(await hasRecordSince(journal, since, (record) => record.kind === 'migrate' && record.backupPath === backupPath))) {
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

async function backupsOf(path: string): Promise<string[]> {
  return (await readdir(dirname(path)).catch(() => [])).filter((name) => isBackup(name) && isRelatedName(basename(path), name));
}

async function versionIfExists(path: string): Promise<FileVersion | undefined> {
  return stat(path, { bigint: true }).then(fileVersion, () => undefined);
}

const isMigration = isObjectOf<Migration>({
  path: isNormalAbsolutePath,
  version: isFileVersion,
  backups: isListOf(isText),
});
