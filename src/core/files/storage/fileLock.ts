/**
 * Lock files between windows. Each names the process that created it, and is only taken over when that process is gone.
 */
import { createHash } from 'node:crypto';
import { link, open, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isObject } from '../../format/entry/jsonValues';
import { errorCode } from '../io/fileErrors';
import { SessionInUseError } from '../presence/sessionInUse';
import { ageOf, isProcessId, isProcessRunning, processStartTime } from './processIdentity';
import { temporaryName } from './temporaryFiles';
import { NO_HARD_LINK_CODES } from '../io/atomicFile';
import { readSmallFileWithStats } from '../io/smallFile';

/** Milliseconds that a window waits for another. */
const WAIT_MS = 10_000;
/**
 * After this many milliseconds of waiting, a window reserves the next turn, so that one that writes continuously lets
 * it in.
 */
const RESERVE_AFTER_MS = 50;
/** A disk may refuse temporarily: the number of attempts to release a lock, and the milliseconds between them. */
const RELEASE_ATTEMPTS = 20;
const RELEASE_RETRY_MS = 50;
/**
 * Milliseconds for which a lock without a process in it counts. A crash during its creation leaves such a lock on file
 * systems without hard links.
 */
const EMPTY_MS = 2_000;
/**
 * Milliseconds for which a lock of another machine counts. Its processes can't be checked from here, so only its age
 * decides.
 */
const REMOTE_STALE_MS = 60_000;
/** Milliseconds for which a lock counts when a start time of its process is unknown. No write takes longer. */
const UNKNOWN_START_STALE_MS = 10 * 60_000;

/** Errors that may be temporary: a file being deleted on Windows, a network disk, too many open files. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'ESTALE', 'EMFILE', 'ENFILE']);

type Release = () => Promise<void>;

/**
 * Waits until the lock is free, and acquires it.
 *
 * @throws {SessionInUseError} `live` after ten seconds of waiting.
 */
export async function acquireFileLock(lock: string, path: string): Promise<Release> {
  const next = `${lock}.next`;
  const begin = performance.now();
  let reservation: string | undefined;
  let cause: unknown;
  try {
    for (let pause = 1; ; pause = Math.min(pause * 2, 10)) {
      const waited = performance.now() - begin;
      try {
        // The window that reserved the next turn goes first.
        const mine = (reservation !== undefined || !(await isHeld(next))) && (await tryCreateLock(lock, path));
        if (mine) return () => releaseLock(lock, mine);
        if (reservation !== undefined) await utimes(next, new Date(), new Date()).catch(() => undefined);
        else if (waited > RESERVE_AFTER_MS) reservation = await tryCreateLock(next, path);
      } catch (error) {
        if (!TRANSIENT_CODES.has(errorCode(error) ?? '')) throw error;
        cause = error;
      }
      if (waited > WAIT_MS) {
        throw new SessionInUseError(
          'live',
          'Another window is still writing to this session. Check that window, or fork instead: {path}',
          { path },
          { cause },
        );
      }
      await wait(pause);
    }
  } finally {
    if (reservation !== undefined) await releaseLock(next, reservation);
  }
}

/**
 * Creates a lock that has its content from the first moment: it's written under another name and linked.
 *
 * @returns the lock's content; `undefined` if another process holds the lock.
 */
async function tryCreateLock(lock: string, path: string): Promise<string | undefined> {
  if (await readLockFile(lock)) {
    await removeStaleLock(lock);
    return undefined;
  }
  const mine = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: (await processStartTime(process.pid)) ?? '',
    at: process.hrtime.bigint().toString(),
    path,
  });
  const temporary = join(dirname(lock), temporaryName(basename(lock)));
  try {
    await writeNew(temporary, mine);
    await link(temporary, lock);
    return mine;
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (NO_HARD_LINK_CODES.has(code)) return await tryCreateWithoutLinks(lock, mine);
    // On a network disk, a link that succeeded may be reported as existing.
    if (code === 'EEXIST') return (await readLockFile(lock))?.text === mine ? mine : undefined;
    throw error;
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

/** For file systems without hard links, where a lock is briefly empty. */
async function tryCreateWithoutLinks(lock: string, mine: string): Promise<string | undefined> {
  try {
    await writeNew(lock, mine);
    // A process that was suspended before the write, for example while the computer slept, may have lost its empty
    // lock.
    return (await readLockFile(lock))?.text === mine ? mine : undefined;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    // No process takes over the lock while this one runs. A lock with incomplete text expires soon.
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

/**
 * Releases a lock. Gives up silently after repeated failures: the work under the lock is done, but the lock stays as
 * long as this process runs.
 */
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

interface Lock {
  readonly text: string;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
}

/**
 * Reads a lock's text and identity from one open handle, because another lock may have its name a moment later.
 * `undefined` if there is none.
 */
export async function readLockFile(lock: string): Promise<Lock | undefined> {
  try {
    const { bytes, mtimeNs, ino } = await readSmallFileWithStats(lock, { maxBytes: MAX_LOCK_BYTES, followLink: false });
    return { text: bytes.toString('utf8'), mtimeNs, ino };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Bytes. A lock holds a few numbers and a path. */
const MAX_LOCK_BYTES = 64 * 1024;

const isHeld = async (lock: string): Promise<boolean> => {
  const found = await readLockFile(lock);
  return found !== undefined && (await isHolderRunning(found));
};

/** True if the process that created the lock is still running. */
export async function isHolderRunning({ text, mtimeNs }: Lock): Promise<boolean> {
  const age = ageOf(Number(mtimeNs / 1_000_000n));
  const holder = parseLockText(text);
  if (!holder) return age < EMPTY_MS;
  if (holder.host !== hostname()) return age < REMOTE_STALE_MS;
  if (!isProcessRunning(holder.pid)) return false;
  const started = await processStartTime(holder.pid);
  // Empty if the holder couldn't read its own, for example on a busy disk.
  const isKnown = started !== undefined && holder.started !== '';
  return isKnown ? started === holder.started : age < UNKNOWN_START_STALE_MS;
}

export function parseLockText(text: string): { pid: number; host: string; started: string; path?: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { pid, host, started, path } = value;
    if (!isProcessId(pid) || typeof host !== 'string' || typeof started !== 'string') return undefined;
    return { pid, host, started, ...(typeof path === 'string' ? { path } : {}) };
  } catch {
    return undefined;
  }
}

/**
 * Removes a lock if its process is gone. Several windows may find that out at once, and a slower one must not remove
 * the new lock that another has created since. So only the holder of a second lock, named after the stale one, removes
 * it, and only if it's still the same.
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
    if (errorCode(error) !== 'ENOENT') throw error;
  } finally {
    await releaseLock(right, mine);
  }
}

/** Unique per lock. */
const lockIdentity = ({ text, mtimeNs, ino }: Lock): string => shortHash(`${String(ino)} ${String(mtimeNs)} ${text}`);

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
