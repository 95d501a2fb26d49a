/** The old file of a migration, kept beside the new one. */
import type { FileHandle } from 'node:fs/promises';
import { SessionError } from '../../format/entry/problem';
import { realDisk, type Disk } from '../io/disk';
import { fileError } from '../io/fileErrors';
import { copyToNewFile } from '../io/atomicFile';
import { openRegularFile } from '../io/regularFile';

/**
 * Copies `source` to a name that nobody has yet. A backup that is there and the same is one that a killed migration
 * left, and serves.
 *
 * @returns what takes the backup away again, if it was made here.
 * @throws {SessionError} `invalid` if there is another backup.
 */
export async function backUp(source: FileHandle, backupPath: string, mode: number, disk: Disk = realDisk): Promise<() => Promise<void>> {
  try {
    await copyToNewFile(source, backupPath, mode, disk);
    return () => disk.unlink(backupPath).catch(() => undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(error, backupPath);
    if (await isSame(source, backupPath)) return () => Promise.resolve();
    throw new SessionError('invalid', 'There is a backup of an earlier migration already; move it away first: {path}', { path: backupPath }, { cause: error });
  }
}

const SLICE = 1024 * 1024;

async function isSame(source: FileHandle, path: string): Promise<boolean> {
  const other = await openRegularFile(path).catch(() => undefined);
  try {
    if (!other || Number(other.stats.size) !== (await source.stat()).size) return false;
    const [a, b] = [Buffer.alloc(SLICE), Buffer.alloc(SLICE)];
    for (let at = 0; ; ) {
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
