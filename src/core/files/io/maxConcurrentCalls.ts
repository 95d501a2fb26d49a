/** Tells this computer's own disks from servers, and from programs that act as a file system, which may stop answering. */
import { statfs } from 'node:fs/promises';
import { MAX_CONCURRENT } from './forEachConcurrent';
import { isMissing } from './fileErrors';

/** File system types as Linux reports them (`statfs`, `linux/magic.h`). On other systems no type is known here. */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);

/** File calls in flight at once on a disk of this computer. Node's threads don't go to sleep in between, which makes a call five times as fast. */
const MAX_CONCURRENT_LOCAL = 16;

/** File calls that may be in flight at once below some folders: all of Node's threads only where none of them can hang. */
export async function maxConcurrentCalls(folders: readonly string[]): Promise<number> {
  if (process.platform !== 'linux') return MAX_CONCURRENT;
  const isLocal = await Promise.all(folders.map((folder) => statfs(folder).then(({ type }) => LOCAL_TYPES.has(type), isMissing)));
  return isLocal.every(Boolean) ? MAX_CONCURRENT_LOCAL : MAX_CONCURRENT;
}
