/** Compares the old and the new file of a session whose move was interrupted while both existed. */
import type { MoveStep } from '../write/moveLog';
import { equalRange } from '../io/equalRange';
import { openRegularFile } from '../io/regularFile';
import { findHeader } from './headerPlace';

/** The file that contains everything in the other one; `neither` if both have unique bytes. */
export type WholeFile = 'new' | 'old' | 'neither';

/**
 * Compares the bytes before and after the headers. The headers must be the ones that the step recorded.
 *
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function compareMoved({ path, newPath, before, after }: MoveStep): Promise<WholeFile> {
  const old = await openRegularFile(path, { followLink: false });
  try {
    const next = await openRegularFile(newPath, { followLink: false });
    try {
      const [oldSize, newSize] = [Number(old.stats.size), Number(next.stats.size)];
      const [oldHeader, newHeader] = [await findHeader(old.file, oldSize), await findHeader(next.file, newSize)];
      if (oldHeader?.text !== before || newHeader?.text !== after || oldHeader.offset !== newHeader.offset) return 'neither';
      const start = oldHeader.offset;
      if (!(await equalRange(old.file, 0, next.file, 0, start))) return 'neither';
      const [oldBody, newBody] = [start + oldHeader.length, start + newHeader.length];
      const [oldRest, newRest] = [oldSize - oldBody, newSize - newBody];
      if (!(await equalRange(old.file, oldBody, next.file, newBody, Math.min(oldRest, newRest)))) return 'neither';
      return newRest >= oldRest ? 'new' : 'old';
    } finally {
      await next.file.close();
    }
  } finally {
    await old.file.close();
  }
}
