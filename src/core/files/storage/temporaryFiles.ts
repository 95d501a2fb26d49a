/** The hidden files that a new content is written to, and what is left of them when a process was killed. */
import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { realDisk, type Disk } from '../io/disk';
import { isRunning } from '../presence/programLocks';

/** No listing takes it; it says which process of which machine writes it. */
export function temporaryName(name: string): string {
  return `.${name}.${machineHash()}-${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
}

const machineHash = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 6);

const TEMPORARY = /^\..+\.([0-9a-f]{6})-(\d+)-[0-9a-f]{8}\.tmp$/;

/** Takes away the hidden files of our processes that are gone. What can't be listed or removed stays; it harms nobody. */
export async function removeStaleTemporaryFiles(folder: string, disk: Disk = realDisk): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const [, machine, pid] = TEMPORARY.exec(name) ?? [];
    if (machine !== machineHash() || isRunning(Number(pid))) continue;
    const path = join(folder, name);
    if (!(await isOwnFile(path))) continue;
    if (await disk.unlink(path).then(() => true, () => false)) found.push(path);
  }
  return found;
}

/** In a shared folder anyone can make a name like ours; what isn't a regular file of this person isn't one of ours. */
const isOwnFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isFile() && (!process.getuid || stats.uid === process.getuid()),
    () => false,
  );
