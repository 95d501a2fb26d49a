/**
 * Files of the extension's own storage (journal, queue, trash records), readable by this user only: folders 0700, files
 * 0600.
 */
import { createHash, randomInt } from 'node:crypto';
import { constants, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { errorCode, fileError } from '../io/fileErrors';
import { removeStaleTemporaryFiles, temporaryName } from './temporaryFiles';
import { syncFolder, type FileDigest } from '../io/atomicFile';
import { readSmallText } from '../io/smallFile';
import { retryWhileOpen } from './retryWhileOpen';

/** Writes a file with mode 0600 atomically: until it's complete, the previous one stays. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await removeStaleTemporaryFiles(dirname(path));
  const temporary = join(dirname(path), temporaryName(basename(path)));
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await retryWhileOpen(() => rename(temporary, path));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw fileError(error, path);
  }
  await syncFolder(dirname(path));
}

/**
 * Appends a line to a file with mode 0600 in a single write, so that several windows can append concurrently. A line
 * that a crash left torn is ended first.
 */
export async function appendPrivateLine(path: string, value: unknown): Promise<void> {
  try {
    const file = await openRegular(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW);
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1, '\n');
      if (size > 0) await file.read(last, 0, 1, size - 1);
      await file.writeFile(`${last.toString() === '\n' ? '' : '\n'}${JSON.stringify(value)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Replaces a file's content without syncing. A crash may leave it torn. */
export async function overwritePrivateFile(path: string, text: string): Promise<void> {
  const file = await openRegular(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/**
 * Opens a regular file without waiting for a FIFO's other end.
 *
 * @throws {SessionError} `invalid` for anything else.
 */
async function openRegular(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_NONBLOCK, 0o600);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new SessionError('invalid', 'This isn’t a regular file: {path}', { path });
}

/** Largest size of a file of lines, in bytes: a day's journal has a few hundred bytes per write. */
const MAX_LINES_BYTES = 64 * 1024 * 1024;

/**
 * Returns the JSON values of a file's lines. Torn and invalid lines are left out; a missing file has none.
 *
 * @throws {SessionError} `invalid` if it isn't a regular file or is too large, and for failures of the file system.
 */
export async function readPrivateLines(path: string): Promise<unknown[]> {
  const text = (await textOf(path, MAX_LINES_BYTES)) ?? '';
  return text.split('\n').flatMap((line) => valueOf(line) ?? []);
}

/** Largest size of a file with one value, in bytes. */
export const MAX_VALUE_BYTES = 1024 * 1024;

/**
 * Returns the JSON value of a file; `undefined` if the file is missing or torn.
 *
 * @throws {SessionError} as {@link readPrivateLines}.
 */
export async function readPrivateJson(path: string, maxBytes = MAX_VALUE_BYTES): Promise<unknown> {
  return valueOf((await textOf(path, maxBytes)) ?? '')?.[0];
}

async function textOf(path: string, maxBytes: number): Promise<string | undefined> {
  return readSmallText(path, { maxBytes, followLink: false }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw fileError(error, path);
  });
}

function valueOf(text: string): [unknown] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    return undefined;
  }
}

/** The time and the number of the id that was made last. */
let last = { time: 0, number: 0 };

/** A new id. The alphabetical order of ids is chronological, also of those that one window makes within a millisecond. */
export function timeOrderedId(now = Date.now()): string {
  last = { time: now, number: now === last.time ? last.number + 1 + randomInt(0x10000) : randomInt(0x80000000) };
  return `${now.toString(36).padStart(9, '0')}-${last.number.toString(16).padStart(8, '0')}`;
}

/**
 * True for ids that {@link timeOrderedId} creates. A record's file is named after its id, so an id must not contain
 * path separators.
 */
export const isTimeOrderedId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-z]{9,12}-[0-9a-f]{8}$/.test(value);

/**
 * Size and hash of a regular file, read in chunks.
 *
 * @throws {SessionError} `invalid` for anything else.
 */
export async function digestFile(path: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    const file = await openRegular(path, constants.O_RDONLY);
    // Without an encoding the stream has buffers.
    for await (const piece of file.createReadStream() as AsyncIterable<Buffer>) {
      hash.update(piece);
      size += piece.length;
    }
  } catch (error) {
    throw fileError(error, path);
  }
  return { size, sha256: hash.digest('hex') };
}
