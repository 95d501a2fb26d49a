/** Locks between windows: a file that says which process made it, taken from nobody but one that is gone. */
import { createHash } from 'node:crypto';
import { link, open, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isObject } from '../format/entry';
import { SessionError } from '../format/problem';
import { isProcessId } from './keep';
import { temporaryName } from './leftovers';
import { NO_LINKS } from './newFile';
import { isRunning } from './signs/locks';
import { readSmallFileWithStats, readSmallText } from './smallFile';

/** How long a window waits for another, in milliseconds. */
const PATIENCE_MS = 10_000;
/** After this time of waiting a window asks for the next turn; who writes much then lets it in. */
const ASK_AFTER_MS = 50;
/** A disk may refuse for a moment: how often a lock is given back, and how many milliseconds lie between. */
const GIVE_BACK_TRIES = 20;
const GIVE_BACK_PAUSE_MS = 50;
/** A lock without a process in it was left by a crash while it was made, where there are no hard links, and counts for this long. */
const EMPTY_MS = 2_000;
/** From another machine over a shared folder nobody knows which processes run: then time decides. */
const FAR_MS = 60_000;
/** Where nobody knows when a process began, no write takes longer than this. */
const LONGEST_MS = 10 * 60_000;

/** What may be over a moment later: a file that is being taken away on Windows, one of a disk on a network, too many open files. */
const PASSING: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'ESTALE', 'EMFILE', 'ENFILE']);

type Release = () => Promise<void>;

/** Waits for the turn, and takes it. @throws {SessionError} `live` after ten seconds of waiting. */
export async function takeTurn(lock: string, path: string): Promise<Release> {
  const next = `${lock}.next`;
  const begin = performance.now();
  let asked: string | undefined;
  let cause: unknown;
  try {
    for (let pause = 1; ; pause = Math.min(pause * 2, 10)) {
      const waited = performance.now() - begin;
      try {
        // Whoever asked for the next turn goes first.
        const mine = (asked !== undefined || !(await isHeld(next))) && (await takeFile(lock, path));
        if (mine) return () => giveBack(lock, mine);
        if (asked !== undefined) await utimes(next, new Date(), new Date()).catch(() => undefined);
        else if (waited > ASK_AFTER_MS) asked = await takeFile(next, path);
      } catch (error) {
        if (!PASSING.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        cause = error;
      }
      if (waited > PATIENCE_MS) {
        throw new SessionError('live', 'Another window is writing to this session and does not come to an end. Look at that window, or fork the session, which changes no existing file: {path}', { path }, { cause });
      }
      await wait(pause);
    }
  } finally {
    if (asked !== undefined) await giveBack(next, asked);
  }
}

/**
 * Makes a lock, which has its content from its first moment on: it is written under another name and linked.
 *
 * @returns what we wrote into it, or nothing if somebody else has it.
 */
async function takeFile(lock: string, path: string): Promise<string | undefined> {
  if (await look(lock)) {
    await clear(lock);
    return undefined;
  }
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), started: (await startOf(process.pid)) ?? '', at: process.hrtime.bigint().toString(), path });
  const temporary = join(dirname(lock), temporaryName(basename(lock)));
  try {
    await writeNew(temporary, mine);
    await link(temporary, lock);
    return mine;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NO_LINKS.has(code)) return await takeName(lock, mine);
    // On a network, a link that was made may be reported as there already.
    if (code === 'EEXIST') return (await look(lock))?.text === mine ? mine : undefined;
    throw error;
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

/** For file systems without hard links: there a lock is empty for a moment. */
async function takeName(lock: string, mine: string): Promise<string | undefined> {
  try {
    await writeNew(lock, mine);
    // A process that stood still before writing it, as on a computer that slept, may have lost it as an empty one.
    return (await look(lock))?.text === mine ? mine : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    // Nobody takes it from a process that runs. One without all of its text does not count for long.
    await giveBack(lock, mine);
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
async function giveBack(lock: string, mine: string): Promise<void> {
  for (let left = GIVE_BACK_TRIES; left > 0; left--) {
    try {
      if ((await look(lock))?.text === mine) await unlink(lock);
      return;
    } catch {
      await wait(GIVE_BACK_PAUSE_MS);
    }
  }
}

/** When a process began, in the system's own count: a later process may get the same id. Linux tells. */
async function startOf(pid: number): Promise<string | undefined> {
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
export async function look(lock: string): Promise<Lock | undefined> {
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
  const found = await look(lock);
  return found !== undefined && (await isAlive(found));
};

/** Whether the process that made a lock is still there. */
export async function isAlive({ text, mtimeNs }: Lock): Promise<boolean> {
  // A time in the future is a clock that was set back since.
  const age = Math.abs(Date.now() - Number(mtimeNs / 1_000_000n));
  const holder = holderOf(text);
  if (!holder) return age < EMPTY_MS;
  if (holder.host !== hostname()) return age < FAR_MS;
  if (!isRunning(holder.pid)) return false;
  const started = await startOf(holder.pid);
  return started === undefined ? age < LONGEST_MS : started === holder.started;
}

export function holderOf(text: string): { pid: number; host: string; started: string; path?: string } | undefined {
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
export async function clear(lock: string): Promise<void> {
  const dead = await look(lock);
  if (!dead || (await isAlive(dead))) return;
  const right = `${lock}.${nameOf(dead)}`;
  const mine = await takeFile(right, '');
  if (mine === undefined) return;
  try {
    const found = await look(lock);
    if (found && nameOf(found) === nameOf(dead)) await unlink(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await giveBack(right, mine);
  }
}

/** No two locks have the same. */
const nameOf = ({ text, mtimeNs, ino }: Lock): string => hash(`${String(ino)} ${String(mtimeNs)} ${text}`);

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
