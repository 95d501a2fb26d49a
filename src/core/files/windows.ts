/**
 * Several windows of this extension over one file: whose turn it is, and what the last of them wrote.
 * Both lie in a folder that all windows share; a file is known there by a hash of its real path.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isObject } from '../format/entry';
import { SessionError } from '../format/problem';
import type { FileVersion } from './sessionFile';
import { isRunning } from './signs/locks';

/** What one of our windows left in a file. */
export interface OwnWrite {
  readonly version: FileVersion;
  /** When others last wrote beside us, in milliseconds since 1970. */
  readonly foreignMs: number;
}

export interface Windows {
  /** Does something to a file while no other window does. @throws {SessionError} `live` after ten seconds of waiting. */
  inTurn<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** What a window last wrote, as far as it was kept. */
  lastWrite(path: string): Promise<OwnWrite | undefined>;
  keep(path: string, write: OwnWrite): Promise<void>;
  /** Ends the turns of processes that are gone, and does `work` for each of their files in a turn of its own. To be called at the start. */
  endTurns(work: (path: string) => Promise<void>): Promise<void>;
  /** Forgets what was kept longer ago. */
  prune(maxAgeMs: number): Promise<void>;
}

/** A process alone: it keeps its own order, and nobody else is told. */
export const aloneHere: Windows = {
  inTurn: (_, work) => work(),
  lastWrite: () => Promise.resolve(undefined),
  keep: () => Promise.resolve(),
  endTurns: () => Promise.resolve(),
  prune: () => Promise.resolve(),
};

/** How long a window waits for another, in milliseconds. */
const PATIENCE_MS = 10_000;
/** After this time of waiting a window asks for the next turn; who writes much then lets it in. */
const ASK_AFTER_MS = 50;
/** A lock without a process in it was left by a crash while it was made, and counts for this long. */
const EMPTY_MS = 2_000;
/** From another machine over a shared folder nobody knows which processes run: then time decides. */
const FAR_MS = 60_000;
/** Where nobody knows when a process began, no write takes longer than this. */
const LONGEST_MS = 10 * 60_000;

/** `folder` is the extension's own; it is made when it is needed, for this person alone. */
export function sharedBetweenWindows(folder: string): Windows {
  const place = (path: string, kind: 'locks' | 'writes', end: string): string => join(folder, kind, `${hash(path)}${end}`);
  const made = new Set<string>();
  const make = async (kind: string): Promise<void> => {
    if (made.has(kind)) return;
    await mkdir(join(folder, kind), { recursive: true, mode: 0o700 });
    made.add(kind);
  };

  const inTurn = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    await make('locks');
    const release = await takeTurn(place(path, 'locks', '.lock'), path);
    try {
      return await work();
    } finally {
      await release();
    }
  };

  const endTurn = async (lock: string, work: (path: string) => Promise<void>): Promise<void> => {
    const found = await look(lock);
    if (!found || (await isAlive(found))) return;
    const path = holderOf(found.text)?.path;
    // The next turn takes away what was left of the last one. Who goes on with the file meanwhile needs no help.
    if (path !== undefined && lock === place(path, 'locks', '.lock')) await inTurn(path, () => work(path));
    else await clear(lock);
  };

  return {
    inTurn,
    lastWrite: async (path) => parseWrite(await readFile(place(path, 'writes', '.json'), 'utf8').catch(() => '')),
    // What can't be kept makes the next window unsure, no more.
    keep: async (path, write) => {
      await make('writes').then(() => writeFile(place(path, 'writes', '.json'), JSON.stringify(write), { mode: 0o600 })).catch(() => undefined);
    },
    endTurns: async (work) => {
      for (const name of await readdir(join(folder, 'locks')).catch(() => [])) {
        // What can't be ended here is met again by the turn that has to wait for it, and that one says so.
        await endTurn(join(folder, 'locks', name), work).catch(() => undefined);
      }
    },
    prune: async (maxAgeMs) => {
      for (const name of await readdir(join(folder, 'writes')).catch(() => [])) {
        const write = join(folder, 'writes', name);
        const { mtimeMs } = await stat(write).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < Date.now() - maxAgeMs) await unlink(write).catch(() => undefined);
      }
    },
  };
}

function parseWrite(text: string): OwnWrite | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value['version'])) return undefined;
    const { size, mtimeMs, ino } = value['version'] as Record<string, unknown>;
    const foreignMs = value['foreignMs'];
    if (typeof size !== 'number' || typeof mtimeMs !== 'number' || typeof ino !== 'string' || typeof foreignMs !== 'number') return undefined;
    return { version: { size, mtimeMs, ino }, foreignMs };
  } catch {
    return undefined;
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

type Release = () => Promise<void>;

async function takeTurn(lock: string, path: string): Promise<Release> {
  const next = `${lock}.next`;
  const begin = Date.now();
  let asked: string | undefined;
  try {
    for (let pause = 1; ; pause = Math.min(pause * 2, 10)) {
      const waited = Date.now() - begin;
      // Whoever asked for the next turn goes first.
      const mine = (asked !== undefined || !(await isHeld(next))) && (await takeFile(lock, path));
      if (mine) return () => giveBack(lock, mine);
      if (waited > PATIENCE_MS) {
        throw new SessionError('live', 'Another window is writing to this session and does not come to an end. Look at that window, or fork the session, which changes no existing file: {path}', { path });
      }
      if (asked !== undefined) await utimes(next, new Date(), new Date()).catch(() => undefined);
      else if (waited > ASK_AFTER_MS) asked = await takeFile(next, path);
      await wait(pause);
    }
  } finally {
    if (asked !== undefined) await giveBack(next, asked);
  }
}

/** @returns what we wrote into it, or nothing if somebody else has it. */
async function takeFile(lock: string, path: string): Promise<string | undefined> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), started: (await startOf(process.pid)) ?? '', at: process.hrtime.bigint().toString(), path });
  try {
    const file = await open(lock, 'wx', 0o600);
    try {
      await file.writeFile(mine);
    } finally {
      await file.close();
    }
    return mine;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  await clear(lock);
  return undefined;
}

/** What was done in the turn is done: a lock that can't be taken away is met by whoever waits for it. */
async function giveBack(lock: string, mine: string): Promise<void> {
  if ((await readFile(lock, 'utf8').catch(() => '')) === mine) await unlink(lock).catch(() => undefined);
}

/** When a process began, in the system's own count: a later process may get the same id. Linux tells. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the program's name in brackets, and may hold anything.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

interface Lock {
  readonly text: string;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
}

/** All of it at one moment: by its name it may be another one a moment later. `undefined` if there is none. */
async function look(lock: string): Promise<Lock | undefined> {
  const file = await open(lock).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  if (!file) return undefined;
  try {
    const { mtimeNs, ino } = await file.stat({ bigint: true });
    return { text: await file.readFile('utf8'), mtimeNs, ino };
  } finally {
    await file.close();
  }
}

const isHeld = async (lock: string): Promise<boolean> => {
  const found = await look(lock);
  return found !== undefined && (await isAlive(found));
};

/** Whether the process that made a lock is still there. */
async function isAlive({ text, mtimeNs }: Lock): Promise<boolean> {
  const age = Date.now() - Number(mtimeNs / 1_000_000n);
  const holder = holderOf(text);
  if (!holder) return age < EMPTY_MS;
  if (holder.host !== hostname()) return age < FAR_MS;
  if (!isRunning(holder.pid)) return false;
  const started = await startOf(holder.pid);
  return started === undefined ? age < LONGEST_MS : started === holder.started;
}

function holderOf(text: string): { pid: number; host: string; started: string; path?: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { pid, host, started, path } = value as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof started !== 'string') return undefined;
    return { pid, host, started, ...(typeof path === 'string' ? { path } : {}) };
  } catch {
    return undefined;
  }
}

/**
 * Takes a lock away if its process is gone. Several may find that out, and the slower of them must not take away what
 * somebody has made there since: only who holds the lock of that very lock takes it away, if it is still the same.
 */
async function clear(lock: string): Promise<void> {
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
