/** The locks that the programs use beside their files, and whether somebody still holds them. FORMAT section 6, locks. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asString, isObject } from '../../format/entry/entry';
import { readSmallText } from '../io/smallFile';

/** gsd's lock is a folder that its holder touches; one that was not touched for this long was left behind, in milliseconds. */
const STALE_FOLDER_MS = 30_000;
/** OpenClaw's lock file counts for this long at most, in milliseconds. */
const STALE_FILE_MS = 30 * 60_000;
/** A lock without a process in it was just made; after this time it was left by a crash right then. */
const EMPTY_LOCK_MS = 10_000;

export interface LockPaths {
  /** oh-my-pi's, `<pid>:<ms>`, under its two names. */
  readonly files: readonly [string, string];
  /** gsd's folder; OpenClaw's file, JSON, has the same name. */
  readonly folder: string;
}

export function lockPaths(path: string): LockPaths {
  const name = basename(path);
  const short = name.replace(/\.jsonl$/, '');
  return { files: [join(dirname(path), `.${name}.lock`), join(dirname(path), `.${short}.lock`)], folder: `${path}.lock` };
}

/** Who holds a lock: a process, or somebody who does not say. `since`: milliseconds since 1970, if the lock tells. */
interface Holder {
  readonly pid?: number;
  readonly since?: number;
}

/** What a lock file says; `undefined` if nobody can tell whose it is. */
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

/** The programs' locks are a line each. */
const MAX_LOCK_BYTES = 64 * 1024;

/** What a lock file says; `undefined` if there is none that can be read, such as a folder or a FIFO. Never rejects. */
export const readLock = (path: string): Promise<string | undefined> => readSmallText(path, { maxBytes: MAX_LOCK_BYTES }).catch(() => undefined);

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a folder that is a lock was left. One that is gone was given back: what has its name a moment later is somebody else's. */
export const isStaleLockFolder = (path: string): Promise<boolean> => isOlderThan(path, STALE_FOLDER_MS);

/** The same of a lock that names nobody, left by a crash while it was made. */
export const isStaleEmptyLock = (path: string): Promise<boolean> => isOlderThan(path, EMPTY_LOCK_MS);

/** The holder of a lock on a session file, if there is one that is not this process. `there`: the folder's names, if it was listed. */
export async function findLockHolder(path: string, there: ReadonlyMap<string, unknown>, now: number): Promise<{ readonly pid?: number } | undefined> {
  const { files, folder } = lockPaths(path);
  const mayBe = (lock: string): boolean => there.size === 0 || there.has(basename(lock));
  for (const file of [...files, folder].filter(mayBe)) {
    const text = await readLock(file);
    if (text === undefined) continue;
    const holder = parseLockHolder(text);
    if (holder === undefined) {
      if (await isRecent(file, EMPTY_LOCK_MS, now)) return {};
    } else if (holder.pid !== process.pid && isRunning(holder.pid) && !(file === folder && isOld(holder, now))) return { pid: holder.pid };
  }
  const isFolder = mayBe(folder) && (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  return isFolder && (await isRecent(folder, STALE_FOLDER_MS, now)) ? {} : undefined;
}

const isOld = ({ since }: Holder, now: number): boolean => since !== undefined && now - since > STALE_FILE_MS;

/** `undefined` if it is gone. */
async function isRecent(path: string, time: number, now: number): Promise<boolean | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats && Math.abs(now - stats.mtimeMs) < time;
}

const isOlderThan = async (path: string, time: number): Promise<boolean> => (await isRecent(path, time, Date.now())) === false;
