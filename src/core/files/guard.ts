/** May this file be written to now? And the programs' own locks, held while we write. FORMAT: writing, point 1. */
import { mkdir, open, readFile, rmdir, unlink } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Dialect } from '../format/dialect';
import { SessionError } from '../format/problem';
import { fileError } from './errors';
import { isRunning, isStaleFolder, lockHolder, lockNames, type Presence } from './presence';

/** @throws {SessionError} `live`, which nothing overrides; `unsure` unless `force` is set. */
export function assertFree(path: string, presence: Presence, force: boolean): void {
  if (presence.state === 'live') throw liveError(path, presence);
  if (presence.state === 'unsure' && !force) {
    throw new SessionError('unsure', 'Something else wrote to this session within the last 10 seconds, so a program may be working in it. Wait a moment, or fork the session, which changes no existing file: {path}', { path });
  }
}

function liveError(path: string, { how, pid, program }: Presence & { state: 'live' }): SessionError {
  if (how === 'lock') {
    return pid === undefined
      ? new SessionError('live', 'A program holds the lock of this session. Close the session there, or fork it, which changes no existing file: {path}', { path })
      : new SessionError('live', 'The program {program} (process {pid}) holds the lock of this session. Close the session there, or fork it, which changes no existing file: {path}', { program: program ?? '?', pid, path });
  }
  return new SessionError('live', 'The program {program} (process {pid}) has this session open and would not see what is written to it. Close the session there, or fork it, which changes no existing file: {path}', {
    program: program ?? '?',
    pid: pid ?? 0,
    path,
  });
}

/** How long we wait for a program's lock, in milliseconds: as long as oh-my-pi does. */
const LOCK_WAIT_MS = 500;
const LOCK_RETRY_MS = 20;

/**
 * Does something while holding the lock that the file's program uses; programs without one need none.
 *
 * @throws {SessionError} `live` if somebody else keeps it longer than we wait.
 */
export async function withLock<T>(path: string, dialect: Dialect, work: () => Promise<T>): Promise<T> {
  const release = await acquire(path, dialect).catch((error: unknown) => {
    throw fileError(error, path);
  });
  try {
    return await work();
  } finally {
    await release();
  }
}

async function acquire(path: string, dialect: Dialect): Promise<() => Promise<void>> {
  const { files, folder } = lockNames(path);
  const take = dialect === 'omp' ? () => takeFile(files[0]) : dialect === 'gsd' ? () => takeFolder(folder) : undefined;
  if (!take) return () => Promise.resolve();
  const end = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    const release = await take();
    if (release) return release;
    if (Date.now() >= end) throw liveError(path, { state: 'live', how: 'lock' });
    await wait(LOCK_RETRY_MS);
  }
}

type Release = () => Promise<void>;

async function takeFile(lock: string): Promise<Release | undefined> {
  const mine = `${process.pid}:${Date.now()}\n`;
  try {
    const file = await open(lock, 'wx', 0o600);
    try {
      await file.writeFile(mine);
    } finally {
      await file.close();
    }
    return async () => {
      // Whoever thought our lock stale has made their own meanwhile.
      if ((await readFile(lock, 'utf8').catch(() => '')) === mine) await unlink(lock).catch(() => undefined);
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = lockHolder(await readFile(lock, 'utf8').catch(() => ''));
  if (holder !== undefined && !isRunning(holder)) await unlink(lock).catch(() => undefined);
  return undefined;
}

async function takeFolder(lock: string): Promise<Release | undefined> {
  try {
    await mkdir(lock);
    return () => rmdir(lock).catch(() => undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (await isStaleFolder(lock)) await rmdir(lock).catch(() => undefined);
  return undefined;
}
