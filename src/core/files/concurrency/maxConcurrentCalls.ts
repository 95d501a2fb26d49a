/** Distinguishes local disks from network and user-space file systems, which may stop answering. */
import { statfs } from 'node:fs/promises';
import { MAX_CONCURRENT } from './forEachConcurrent';
import { isMissing } from '../io/fileErrors';

/**
 * File system types as Linux reports them (`statfs`, `linux/magic.h`). Other systems report no types that are listed
 * here.
 */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);

/**
 * Concurrent file calls on a local disk. Node's threads then don't go to sleep between calls, which makes a call five
 * times as fast.
 */
const MAX_CONCURRENT_LOCAL = 16;

/**
 * Returns how many file calls may run concurrently below the folders: all of Node's threads only if none of the folders
 * can hang.
 */
export async function maxConcurrentCalls(folders: readonly string[]): Promise<number> {
  return (await areLocal(folders)) ? MAX_CONCURRENT_LOCAL : MAX_CONCURRENT;
}

/** True if all folders are known to be on local disks, which Linux alone tells, or missing. */
export async function areLocal(folders: readonly string[]): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const isLocal = await Promise.all(folders.map((folder) => statfs(folder).then(({ type }) => LOCAL_TYPES.has(type), isMissing)));
  return isLocal.every(Boolean);
}
