/** Removes the name of a file. */
import { lstat } from 'node:fs/promises';
import { realDisk, type Disk } from './disk';
import { isMissing } from './fileErrors';

/**
 * Removes a file, or one of its names. A network file system may report an error for a removal that succeeded, because it
 * asks its server again when an answer is lost. If the name is gone, this counts as done, so that a caller that takes
 * everything back doesn't remove the other copy as well.
 *
 * @throws {NodeJS.ErrnoException} the system's error if the name is still there.
 */
export async function removeName(path: string, disk: Disk = realDisk): Promise<void> {
  await disk.unlink(path).catch(async (error: unknown) => {
    if (!(await isGone(path))) throw error;
  });
}

/** If this isn't known either, the name counts as there. */
const isGone = (path: string): Promise<boolean> => lstat(path).then(() => false, isMissing);
