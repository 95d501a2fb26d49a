/** Images that oh-my-pi keeps beside the sessions, named by their hash (FORMAT section 1). */
import { dirname, join } from 'node:path';
import { isMissing } from '../io/fileErrors';
import { readSmallFile, readStart } from '../io/smallFile';

/** A session lies at most this many folders below the one that holds the blobs: subagents' sessions lie deeper. */
const LEVELS = 6;
/** Images of cameras and screens have at most some tens of megabytes, and the page gets them as one text. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Milliseconds that the disk may take for that much. */
const DEADLINE = 10_000;

/** By these an image's type and size are told. */
const START = 64 * 1024;

/**
 * The bytes of `blob:sha256:<hash>`; `undefined` if they are gone.
 *
 * @throws {SessionError} `invalid` if what is there isn't a regular file, is larger than 64 MB or doesn't answer.
 * @throws {NodeJS.ErrnoException} if the file is there and can't be read.
 */
export function readBlob(sessionPath: string, hash: string): Promise<Buffer | undefined> {
  return findBlob(sessionPath, hash, (path) => readSmallFile(path, { maxBytes: MAX_BYTES, deadline: DEADLINE }));
}

/** The first 64 KB of a blob, or all of it if it is smaller; see {@link readBlob}. */
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
