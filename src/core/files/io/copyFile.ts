/** Copies of open files: their bytes, or whole files under another name. */
import type { FileHandle } from 'node:fs/promises';
import { placeInstead, placeNewFile, type Put } from './atomicFile';
import type { ByteSource } from './byteSource';
import { realDisk, type Disk } from './disk';

/** Bytes that are copied at a time. */
const SLICE = 1024 * 1024;

/**
 * Copies to a new name, completely or not at all.
 *
 * @throws {NodeJS.ErrnoException} `EEXIST` if the name is taken.
 */
export async function copyToNewFile(from: FileHandle, to: string, mode: number, disk: Disk = realDisk): Promise<void> {
  await placeNewFile(to, (put) => copyAll(from, put), { mode, disk });
}

/** Copies like {@link copyToNewFile}, but replaces a file that has the name. */
export async function copyReplacing(from: FileHandle, to: string, mode: number, disk: Disk = realDisk): Promise<void> {
  await placeInstead(
    to,
    (put) => copyAll(from, put),
    () => Promise.resolve(),
    { mode, disk },
  );
}

/** Copies all bytes of a file. */
export const copyAll = (from: Pick<ByteSource, 'read'>, put: Put): Promise<void> => copyRange(from, 0, Infinity, put);

/** Copies the bytes from `start` up to `end`, or to the end of the file if that comes first. */
export async function copyRange(from: Pick<ByteSource, 'read'>, start: number, end: number, put: Put): Promise<void> {
  const slice = Buffer.allocUnsafe(SLICE);
  for (let at = start; at < end;) {
    const { bytesRead } = await from.read(slice, 0, Math.min(SLICE, end - at), at);
    if (bytesRead === 0) return;
    await put(slice.subarray(0, bytesRead));
    at += bytesRead;
  }
}
