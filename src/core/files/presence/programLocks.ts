/**
 * The locks that the programs create next to their files, and the check whether they're still held. FORMAT section 6,
 * locks.
 */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asString, isObject } from '../../format/values/jsonValues';
import { readSmallText } from '../io/smallFile';
import { ageOf, isProcessRunning } from '../storage/processIdentity';

/**
 * Milliseconds. gsd's lock is a folder that its holder touches; one that hasn't been touched for this long is stale.
 */
const STALE_FOLDER_MS = 30_000;
/** Milliseconds for which OpenClaw's lock file counts at most. */
const STALE_FILE_MS = 30 * 60_000;
/**
 * Milliseconds. A lock without a process id has just been created; after this time it was left by a crash during its
 * creation.
 */
const EMPTY_LOCK_MS = 10_000;

interface LockPaths {
  /** oh-my-pi's lock file, `<pid>:<ms>`, under its two names. */
  readonly files: readonly [string, string];
  /** gsd's lock folder. OpenClaw's lock file, which holds JSON, has the same name. */
  readonly folder: string;
}

export function lockPaths(path: string): LockPaths {
  const name = basename(path);
  const short = name.replace(/\.jsonl$/, '');
  return { files: [join(dirname(path), `.${name}.lock`), join(dirname(path), `.${short}.lock`)], folder: `${path}.lock` };
}

/** Holder of a lock. `since`: milliseconds since 1970, if the lock contains it. */
interface Holder {
  readonly pid?: number;
  readonly since?: number;
}

/** Parses a lock file; `undefined` if it names no process. */
export function parseLockHolder(text: string): (Holder & { readonly pid: number }) | undefined {
  const plain = /^(\d+):(\d+)\s*$/.exec(text);
  if (plain) return { pid: Number(plain[1]), since: Number(plain[2]) };
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value['pid'] !== 'number') return undefined;
    const since = Date.parse(asString(value['createdAt']) ?? '');
    return { pid: value['pid'], ...(Number.isNaN(since) ? {} : { since }) };
  } catch {
    return undefined;
  }
}

/** Bytes. The programs' locks are one line each. */
const MAX_LOCK_BYTES = 64 * 1024;

/**
 * Reads a lock file's text; `undefined` if there is no readable file, for example a folder or a FIFO. Never rejects.
 */
export const readLock = (path: string): Promise<string | undefined> =>
  readSmallText(path, { maxBytes: MAX_LOCK_BYTES }).catch(() => undefined);

/**
 * True if a lock folder is stale. False if it's gone: it has been released, and a folder with its name a moment later
 * is another process's lock.
 */
export const isStaleLockFolder = (path: string): Promise<boolean> => isOlderThan(path, STALE_FOLDER_MS);

/** True if a lock without a process id is stale: a crash during its creation left it. */
export const isStaleEmptyLock = (path: string): Promise<boolean> => isOlderThan(path, EMPTY_LOCK_MS);

/**
 * Finds the holder of a lock on a session file, other than this process.
 *
 * @param there the names in the folder; empty if it wasn't listed.
 */
export async function findLockHolder(
  path: string,
  there: ReadonlyMap<string, unknown>,
  now: number,
): Promise<{ readonly pid?: number } | undefined> {
  const { files, folder } = lockPaths(path);
  const mayBe = (lock: string): boolean => there.size === 0 || there.has(basename(lock));
  for (const file of [...files, folder].filter(mayBe)) {
    const text = await readLock(file);
    if (text === undefined) continue;
    const holder = parseLockHolder(text);
    if (holder === undefined) {
      if (await isRecent(file, EMPTY_LOCK_MS, now)) return {};
    } else if (holder.pid !== process.pid && isProcessRunning(holder.pid) && !(file === folder && isOld(holder, now)))
      return { pid: holder.pid };
  }
  const isFolder = mayBe(folder) && (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  return isFolder && (await isRecent(folder, STALE_FOLDER_MS, now)) ? {} : undefined;
}

const isOld = ({ since }: Holder, now: number): boolean => since !== undefined && now - since > STALE_FILE_MS;

/** Returns `undefined` if the path is missing. */
async function isRecent(path: string, time: number, now: number): Promise<boolean | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats && ageOf(stats.mtimeMs, now) < time;
}

const isOlderThan = async (path: string, time: number): Promise<boolean> => (await isRecent(path, time, Date.now())) === false;
