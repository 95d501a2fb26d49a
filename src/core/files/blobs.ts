/** Images that oh-my-pi keeps beside the sessions, named by their hash (FORMAT section 1). */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A session lies at most this many folders below the one that holds the blobs: subagents' sessions lie deeper. */
const LEVELS = 6;

/**
 * The bytes of `blob:sha256:<hash>`; `undefined` if they are gone.
 *
 * @throws what the file system says, if the file is there and can't be read.
 */
export async function readBlob(sessionPath: string, hash: string): Promise<Buffer | undefined> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
  let folder = dirname(sessionPath);
  for (let level = 0; level < LEVELS; level++) {
    try {
      return await readFile(join(folder, 'blobs', hash));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    }
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return undefined;
}
