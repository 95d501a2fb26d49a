/** Keeps the old file of a migration in the folder of the new one. */
import type { FileHandle } from 'node:fs/promises';
import { SessionError } from '../../format/entry/problem';
import { realDisk, type Disk } from '../io/disk';
import { errorCode, fileError } from '../io/fileErrors';
import { copyToNewFile } from '../io/copyFile';
import { openRegularFile } from '../io/regularFile';

/**
 * Copies `source` to a new name. An existing backup with the same content was left by a killed migration, and is
 * reused.
 *
 * @returns a function that removes the backup, if it was created here.
 * @throws {SessionError} `invalid` if there is another backup.
 */
export async function backUp(source: FileHandle, backupPath: string, mode: number, disk: Disk = realDisk): Promise<() => Promise<void>> {
  try {
    await copyToNewFile(source, backupPath, mode, disk);
    return () => disk.unlink(backupPath).catch(() => undefined);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw fileError(error, backupPath);
    if (await isSame(source, backupPath)) return () => Promise.resolve();
    throw new SessionError(
      'invalid',
      'A backup of an earlier migration is in the way. Move it away first: {path}',
      { path: backupPath },
      { cause: error },
    );
  }
}

const SLICE = 1024 * 1024;

async function isSame(source: FileHandle, path: string): Promise<boolean> {
  const other = await openRegularFile(path).catch(() => undefined);
  try {
    if (!other || Number(other.stats.size) !== (await source.stat()).size) return false;
    const [a, b] = [Buffer.alloc(SLICE), Buffer.alloc(SLICE)];
    for (let at = 0; ;) {
      const { bytesRead } = await source.read(a, 0, SLICE, at);
      if (bytesRead === 0) return true;
      const read = await other.file.read(b, 0, bytesRead, at);
      if (read.bytesRead !== bytesRead || !a.subarray(0, bytesRead).equals(b.subarray(0, bytesRead))) return false;
      at += bytesRead;
    }
  } finally {
    await other?.file.close();
  }
}
