/** Undoes a migration with its backup. Files are only replaced if they have exactly the bytes that the extension wrote. */
import { realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { syncFolder } from '../io/atomicFile';
import { fileError } from '../io/fileErrors';
import { changedError, sameVersion } from '../read/versions/compareVersions';
import { fileVersion, type FileVersion } from '../read/sessionFile';
import { digestFile } from '../storage/privateStorage';
import { retryWhileOpen } from '../storage/retryWhileOpen';
import { isBackup, isRelatedName } from '../trash/relatedPaths';
import type { RecordOf } from './journal';
import { assertOurs, hasContent, NotUndoableError } from './undoChecks';

/** Moves the backup back into the file's place, in one step. Both must have exactly the bytes that the migration left. */
export async function restoreBackup(record: RecordOf<'migrate'>, version: FileVersion): Promise<void> {
  const { path, backupPath } = record;
  // For a link, its target was migrated, and the backup is in the target's folder.
  const file = await realpath(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  // Already restored by a process that was killed before it could record that.
  if (await hasContent(file, { size: record.sizeBefore, sha256: record.backupSha256 })) return;
  await assertOurs(
    record,
    new SessionError(
      'changed',
      'Can’t undo the migration because the file was changed since. The original is in the backup next to it: {path}',
      { path },
    ),
  );
  const isBeside =
    dirname(backupPath) === dirname(file) && isBackup(basename(backupPath)) && isRelatedName(basename(file), basename(backupPath));
  if (!isBeside)
    throw new NotUndoableError(
      new SessionError('changed', 'Can’t undo the migration because the session links to another file now: {path}', { path }),
    );
  const backup = await digestFile(backupPath).catch((error: unknown) => {
    if (error instanceof SessionError && error.code === 'not-found')
      throw new NotUndoableError(
        new SessionError('changed', 'Can’t undo the migration because its backup no longer exists: {path}', { path: backupPath }),
      );
    throw error;
  });
  if (backup.size !== record.sizeBefore || backup.sha256 !== record.backupSha256)
    throw new NotUndoableError(
      new SessionError('changed', 'Can’t undo the migration because its backup was changed: {path}', { path: backupPath }),
    );
  const now = fileVersion(await stat(file, { bigint: true }));
  if (!sameVersion(now, version)) throw changedError(path);
  try {
    await retryWhileOpen(() => rename(backupPath, file));
  } catch (error) {
    throw fileError(error, path);
  }
  await syncFolder(dirname(file));
}
