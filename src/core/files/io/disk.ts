/** The calls by which session files are changed, as one value: what tests let fail, and nothing else does. */
import * as fs from 'node:fs/promises';

/** Functions of `node:fs/promises` under their names. File handles that `open` gives are used for the rest. */
export type Disk = Pick<typeof fs, 'open' | 'link' | 'rename' | 'unlink' | 'mkdir' | 'rmdir' | 'copyFile' | 'stat' | 'statfs'>;

export const realDisk: Disk = fs;

/** All the bytes, however many calls it takes. For files that nobody else writes to. */
export async function writeAll(file: Pick<fs.FileHandle, 'write'>, bytes: Uint8Array, position: number | null = null): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position === null ? null : position + done);
    done += bytesWritten;
  }
}

/** How many bytes a person may still write where `path` lies; `undefined` where the file system doesn't tell. */
export async function freeBytes(path: string, disk: Disk): Promise<number | undefined> {
  const stats = await disk.statfs(path).catch(() => undefined);
  return stats === undefined || stats.blocks === 0 ? undefined : stats.bavail * stats.bsize;
}
