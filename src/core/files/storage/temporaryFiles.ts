/** Hidden files that new content is written to first, and the cleanup after processes that were killed meanwhile. */
import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { realDisk, type Disk } from '../io/disk';
import { isProcessRunning } from './processIdentity';

/** A hidden name that no listing returns. It encodes the machine and the process that writes the file. */
export function temporaryName(name: string): string {
  return `.${name}.${machineHash()}-${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
}

const machineHash = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 6);

const TEMPORARY = /^\..+\.([0-9a-f]{6})-(\d+)-[0-9a-f]{8}\.tmp$/;

/**
 * Removes the hidden files of the extension's processes that are gone. Skips files that can't be listed or removed;
 * they're harmless.
 */
export async function removeStaleTemporaryFiles(folder: string, disk: Disk = realDisk): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const [, machine, pid] = TEMPORARY.exec(name) ?? [];
    if (machine !== machineHash() || isProcessRunning(Number(pid))) continue;
    const path = join(folder, name);
    if (!(await isOwnFile(path))) continue;
    if (
      await disk.unlink(path).then(
        () => true,
        () => false,
      )
    )
      found.push(path);
  }
  return found;
}

/** In a shared folder anyone can create such a name, so only regular files of this user count. */
const isOwnFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isFile() && (!process.getuid || stats.uid === process.getuid()),
    () => false,
  );
