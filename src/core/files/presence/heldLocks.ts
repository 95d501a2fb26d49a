/**
 * Finds the processes that hold an exclusive `flock` on a file, in Linux's list of all locks. The list also shows
 * processes of other users, whose open files nobody else may see, and reading it takes no lock.
 */
import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readStart } from '../io/smallFile';
import { forEachYielding } from './system';

/** Bytes of the list that are read, about 17,000 locks. */
const MAX_BYTES = 1024 * 1024;

/** A held lock, as in `1: FLOCK  ADVISORY  WRITE 4711 fe:00:2146498 0 EOF`. A process that waits for one has `->` before the kind. */
const HELD = /^\d+: FLOCK +ADVISORY +WRITE (\d+) ([\da-f]+:[\da-f]+:\d+) /;

/**
 * Returns the holders' process IDs by file, without this process. Files in file systems that show another device in the
 * list than `stat` does, such as Btrfs and overlays, aren't found.
 *
 * @param proc Linux's process folder
 */
export async function findLockHolders(files: readonly string[], proc: string): Promise<Map<string, number>> {
  const names = new Map<string, string>();
  for (const file of files) {
    const stats = await lstat(file, { bigint: true }).catch(() => undefined);
    if (stats?.isFile()) names.set(nameInList(stats), file);
  }
  const found = new Map<string, number>();
  if (names.size === 0) return found;
  const list = await readStart(join(proc, 'locks'), MAX_BYTES).catch(() => undefined);
  await forEachYielding(list?.toString('latin1').split('\n') ?? [], (line) => {
    const [, pid, name] = HELD.exec(line) ?? [];
    const file = name === undefined ? undefined : names.get(name);
    if (file !== undefined && Number(pid) !== process.pid && !found.has(file)) found.set(file, Number(pid));
  });
  return found;
}

/** The name of a file in the list: the device's two numbers in hexadecimal, and the inode. */
function nameInList({ dev, ino }: BigIntStats): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  const hex = (number: bigint): string => number.toString(16).padStart(2, '0');
  return `${hex(major)}:${hex(minor)}:${ino.toString()}`;
}
