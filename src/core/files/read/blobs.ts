/** Images that oh-my-pi keeps in separate files, named by their hash (FORMAT section 1). */
import { dirname, join } from 'node:path';
import { isMissing } from '../io/fileErrors';
import { readSmallFile, readStart } from '../io/smallFile';

/**
 * The largest number of folders between a session and the folder that holds the blobs: sessions of subagents are
 * deeper.
 */
const LEVELS = 6;
/** Bytes. Photos and screenshots have at most some tens of megabytes, and the page receives them as one string. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Milliseconds that reading this much may take. */
const DEADLINE = 10_000;

/** Bytes that suffice to recognize an image's type and size. */
const START = 64 * 1024;

/**
 * Reads the bytes of `blob:sha256:<hash>`, from the agent folder above the session. FORMAT section 1.
 *
 * @param hash 64 hex digits.
 * @returns `undefined` if there is no such blob.
 * @throws {SessionError} `invalid` if it isn't a regular file, is larger than 64 MB, or doesn't answer within ten
 * seconds.
 * @throws {NodeJS.ErrnoException} if it exists but can't be read.
 */
export function readBlob(sessionPath: string, hash: string): Promise<Buffer | undefined> {
  return findBlob(sessionPath, hash, (path) => readSmallFile(path, { maxBytes: MAX_BYTES, deadline: DEADLINE }));
}

/**
 * Reads the first 64 KB of a blob, or all of a smaller one; otherwise as {@link readBlob}. They suffice for an image's
 * type and size.
 */
export function readBlobStart(sessionPath: string, hash: string): Promise<Buffer | undefined> {
  return findBlob(sessionPath, hash, (path) => readStart(path, START));
}

async function findBlob(sessionPath: string, hash: string, read: (path: string) => Promise<Buffer>): Promise<Buffer | undefined> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
  let folder = dirname(sessionPath);
  for (let level = 0; level < LEVELS; level++) {
    try {
      return await read(join(folder, 'blobs', hash));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  return undefined;
}
