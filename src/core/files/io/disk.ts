/** The calls that change session files, as one replaceable value. Tests inject failures through it. */
import * as fs from 'node:fs/promises';

/** Functions of `node:fs/promises`. Everything else happens on the file handles that `open` returns. */
export type Disk = Pick<typeof fs, 'open' | 'link' | 'rename' | 'unlink' | 'mkdir' | 'rmdir' | 'copyFile' | 'stat' | 'statfs'>;

export const realDisk: Disk = fs;

/** Writes all bytes, in as many calls as it takes. Only for files that no other process writes to. */
export async function writeAll(file: Pick<fs.FileHandle, 'write'>, bytes: Uint8Array, position: number | null = null): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position === null ? null : position + done);
    done += bytesWritten;
  }
}

/** The number of bytes available to this user on the file system of `path`; `undefined` if it doesn't report that. */
export async function freeBytes(path: string, disk: Disk): Promise<number | undefined> {
  const stats = await disk.statfs(path).catch(() => undefined);
  return stats === undefined || stats.blocks === 0 ? undefined : stats.bavail * stats.bsize;
}
