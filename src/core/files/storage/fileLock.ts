/** Locks between windows: a file that says which process made it, taken from nobody but one that is gone. */
import { createHash } from 'node:crypto';
import { link, open, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isObject } from '../../format/entry/entry';
import { SessionError } from '../../format/entry/problem';
import { isProcessId } from './privateStorage';
import { temporaryName } from './temporaryFiles';
import { NO_HARD_LINK_CODES } from '../io/atomicFile';
import { isRunning } from '../presence/programLocks';
import { readSmallFileWithStats, readSmallText } from '../io/smallFile';

/** How long a window waits for another, in milliseconds. */
const WAIT_MS = 10_000;
/** After this time of waiting a window asks for the next turn; who writes much then lets it in. */
const RESERVE_AFTER_MS = 50;
/** A disk may refuse for a moment: how often a lock is given back, and how many milliseconds lie between. */
const RELEASE_ATTEMPTS = 20;
const RELEASE_RETRY_MS = 50;
/** A lock without a process in it was left by a crash while it was made, where there are no hard links, and counts for this long. */
const EMPTY_MS = 2_000;
/** From another machine over a shared folder nobody knows which processes run: then time decides. */
const REMOTE_STALE_MS = 60_000;
/** Where nobody knows when a process began, no write takes longer than this. */
const UNKNOWN_START_STALE_MS = 10 * 60_000;

/** What may be over a moment later: a file that is being taken away on Windows, one of a disk on a network, too many open files. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'ESTALE', 'EMFILE', 'ENFILE']);

type Release = () => Promise<void>;

/** Waits for the turn, and takes it. @throws {SessionError} `live` after ten seconds of waiting. */
export async function acquireFileLock(lock: string, path: string): Promise<Release> {
  const next = `${lock}.next`;
  const begin = performance.now();
  let asked: string | undefined;
  let cause: unknown;
  try {
    for (let pause = 1; ; pause = Math.min(pause * 2, 10)) {
      const waited = performance.now() - begin;
      try {
        // Whoever asked for the next turn goes first.
        const mine = (asked !== undefined || !(await isHeld(next))) && (await tryCreateLock(lock, path));
        if (mine) return () => releaseLock(lock, mine);
        if (asked !== undefined) await utimes(next, new Date(), new Date()).catch(() => undefined);
        else if (waited > RESERVE_AFTER_MS) asked = await tryCreateLock(next, path);
      } catch (error) {
        if (!TRANSIENT_CODES.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        cause = error;
      }
      if (waited > WAIT_MS) {
        throw new SessionError('live', 'Another window is writing to this session and does not come to an end. Look at that window, or fork the session, which changes no existing file: {path}', { path }, { cause });
      }
      await wait(pause);
    }
  } finally {
    if (asked !== undefined) await releaseLock(next, asked);
  }
}

/**
 * Makes a lock, which has its content from its first moment on: it is written under another name and linked.
 *
 * @returns what we wrote into it, or nothing if somebody else has it.
 */
async function tryCreateLock(lock: string, path: string): Promise<string | undefined> {
  if (await readLockFile(lock)) {
    await removeStaleLock(lock);
    return undefined;
  }
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), started: (await processStartTime(process.pid)) ?? '', at: process.hrtime.bigint().toString(), path });
  const temporary = join(dirname(lock), temporaryName(basename(lock)));
  try {
    await writeNew(temporary, mine);
    await link(temporary, lock);
    return mine;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NO_HARD_LINK_CODES.has(code)) return await tryCreateWithoutLinks(lock, mine);
    // On a network, a link that was made may be reported as there already.
    if (code === 'EEXIST') return (await readLockFile(lock))?.text === mine ? mine : undefined;
    throw error;
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

/** For file systems without hard links: there a lock is empty for a moment. */
async function tryCreateWithoutLinks(lock: string, mine: string): Promise<string | undefined> {
  try {
    await writeNew(lock, mine);
    // A process that stood still before writing it, as on a computer that slept, may have lost it as an empty one.
    return (await readLockFile(lock))?.text === mine ? mine : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    // Nobody takes it from a process that runs. One without all of its text does not count for long.
    await releaseLock(lock, mine);
    throw error;
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** What was done in the turn is done, whatever becomes of its lock; but as long as this process runs nobody else takes it away. */
async function releaseLock(lock: string, mine: string): Promise<void> {
  for (let left = RELEASE_ATTEMPTS; left > 0; left--) {
    try {
      if ((await readLockFile(lock))?.text === mine) await unlink(lock);
      return;
    } catch {
      await wait(RELEASE_RETRY_MS);
    }
  }
}

/** When a process began, in the system's own count: a later process may get the same id. Linux tells. */
async function processStartTime(pid: number): Promise<string | undefined> {
  const text = await readSmallText(`/proc/${pid}/stat`).catch(() => undefined);
  // The second field is the program's name in brackets, and may hold anything.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

interface Lock {
  readonly text: string;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
}

/** All of it at one moment: by its name it may be another one a moment later. `undefined` if there is none. */
export async function readLockFile(lock: string): Promise<Lock | undefined> {
  try {
    const { bytes, mtimeNs, ino } = await readSmallFileWithStats(lock, { maxBytes: MAX_LOCK_BYTES, followLink: false });
    return { text: bytes.toString('utf8'), mtimeNs, ino };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A lock holds some numbers and a path. */
const MAX_LOCK_BYTES = 64 * 1024;

const isHeld = async (lock: string): Promise<boolean> => {
  const found = await readLockFile(lock);
  return found !== undefined && (await isHolderRunning(found));
};

/** Whether the process that made a lock is still there. */
export async function isHolderRunning({ text, mtimeNs }: Lock): Promise<boolean> {
  // A time in the future is a clock that was set back since.
  const age = Math.abs(Date.now() - Number(mtimeNs / 1_000_000n));
  const holder = parseLockText(text);
  if (!holder) return age < EMPTY_MS;
  if (holder.host !== hostname()) return age < REMOTE_STALE_MS;
  if (!isRunning(holder.pid)) return false;
  const started = await processStartTime(holder.pid);
  return started === undefined ? age < UNKNOWN_START_STALE_MS : started === holder.started;
}

export function parseLockText(text: string): { pid: number; host: string; started: string; path?: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { pid, host, started, path } = value as Record<string, unknown>;
    if (!isProcessId(pid) || typeof host !== 'string' || typeof started !== 'string') return undefined;
    return { pid, host, started, ...(typeof path === 'string' ? { path } : {}) };
  } catch {
    return undefined;
  }
}

/**
 * Takes a lock away if its process is gone. Several may find that out, and the slower of them must not take away what
 * somebody has made there since: only who holds the lock of that very lock takes it away, if it is still the same.
 */
export async function removeStaleLock(lock: string): Promise<void> {
  const dead = await readLockFile(lock);
  if (!dead || (await isHolderRunning(dead))) return;
  const right = `${lock}.${lockIdentity(dead)}`;
  const mine = await tryCreateLock(right, '');
  if (mine === undefined) return;
  try {
    const found = await readLockFile(lock);
    if (found && lockIdentity(found) === lockIdentity(dead)) await unlink(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await releaseLock(right, mine);
  }
}

/** No two locks have the same. */
const lockIdentity = ({ text, mtimeNs, ino }: Lock): string => shortHash(`${String(ino)} ${String(mtimeNs)} ${text}`);

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
