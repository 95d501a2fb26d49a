// Temporary folders, which are removed with the process.
import { mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's folder in memory, and the bytes that must be free there: the largest test writes 300 MB. */
const MEMORY = '/dev/shm';
const ROOM = 2 ** 31;

/**
 * Returns a folder in memory for temporary files, or the usual one if there is none with enough room. Files in memory take
 * less processor time, and no waiting for the disk.
 */
export function fastTemporaryFolders() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return process.platform === 'linux' && bavail * bsize >= ROOM ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Makes a temporary folder. Its name is short, because an editor's sockets are below it, and the length of their paths
 * is limited.
 * @param {string} [parent]
 * @returns {{ path: string, remove: () => void }} removed at the end of this process at the latest
 */
export function temporaryFolder(parent = tmpdir()) {
  const path = realpathSync(mkdtempSync(join(parent, 'pst-')));
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', remove);
  return { path, remove };
}
