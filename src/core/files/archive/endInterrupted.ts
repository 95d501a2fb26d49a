/** Finishes the interrupted archiving or unarchiving of a session, depending on which files exist. FORMAT section 6, rule 11. */
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { realDisk, type Disk } from '../io/disk';
import { readFileVersion, sameVersion } from '../read/versions/compareVersions';
import { removeStaleTemporaryFiles } from '../storage/temporaryFiles';
import { exists } from '../io/exists';
import { releaseHidden } from '../write/removeOriginal';
import { beginsWith, containsFile, contentOf } from './archiveContent';
import { archivingPath } from './archivePaths';

interface EndOptions {
  /** Returns whether an original that has no more content than its archive may be removed. By default it may. */
  readonly mayRemove?: (hidden: string) => Promise<boolean>;
  readonly disk?: Disk;
}

/**
 * Ends a change whose process was killed, and one whose original was kept. Removes a file only if another file has all its
 * bytes. An archive that can't be unpacked stays, and a session that only has its hidden name gets its own path back.
 *
 * @returns whether there is a session, an archive alone, an archive with the original that is still kept, or nothing.
 * @throws {SessionError} `damaged` if the session has more than the archive, and its path is taken.
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function endInterrupted(
  path: string,
  archive: string,
  { mayRemove = () => Promise.resolve(true), disk = realDisk }: EndOptions = {},
): Promise<'session' | 'archive' | 'kept' | 'neither'> {
  await removeStaleTemporaryFiles(dirname(path), disk);
  const hidden = archivingPath(path);
  for (const [reserved, whole] of [
    [path, archive],
    [archive, path],
  ] as const)
    if ((await isEmpty(reserved)) && (await exists(whole))) await disk.unlink(reserved);
  const packed = (await exists(archive)) ? await contentOf(archive).catch(unlessDamaged) : undefined;
  if (await exists(hidden)) {
    const version = await readFileVersion(hidden);
    const isCopied =
      (packed && (await beginsWith(hidden, packed)) === 'equal') || ((await exists(path)) && (await containsFile(path, hidden)));
    if (!isCopied) await releaseHidden(hidden, path, disk);
    // A program may have written to it meanwhile. Then the next start compares it again.
    else if ((await mayRemove(hidden)) && sameVersion(version, await readFileVersion(hidden))) await disk.unlink(hidden);
  }
  const isThere = await exists(path);
  // The session may have been continued since.
  if (isThere && packed && (await beginsWith(path, packed)) !== 'different') await disk.unlink(archive);
  if (isThere) return 'session';
  if (!packed) return 'neither';
  return (await exists(hidden)) ? 'kept' : 'archive';
}

/** True for a file without bytes. Without hard links, a path is reserved by one until the file is moved there. */
const isEmpty = async (path: string): Promise<boolean> => {
  const stats = (await exists(path)) ? await lstat(path) : undefined;
  return stats?.isFile() === true && stats.size === 0;
};

/** Passes on all errors except the error of an archive that can't be unpacked. */
const unlessDamaged = (error: unknown): undefined => {
  if (!(error instanceof SessionError && (error.code === 'not-a-session' || error.code === 'invalid'))) throw error;
};
