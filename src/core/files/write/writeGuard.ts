/**
 * Guards writes: refuses them while another program uses the file, and holds that program's lock meanwhile.
 * FORMAT section 6, rule 1.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { realDisk, type Disk } from '../io/disk';
import { errorCode, fileError } from '../io/fileErrors';
import { isProcessRunning } from '../storage/processIdentity';
import type { Presence, Sign } from '../presence/presence';
import { SessionInUseError } from '../presence/sessionInUse';
import { isStaleEmptyLock, isStaleLockFolder, parseLockHolder, lockPaths, readLock } from '../presence/programLocks';

/** @throws {SessionInUseError} `live`, which nothing overrides; `unsure` unless `force` is set. */
export function assertFree(path: string, presence: Presence, force: boolean): void {
  if (presence.state === 'live') throw liveError(path, presence.signs);
  if (presence.state === 'unsure' && !force) throw unsureError(path, presence.signs);
}

function liveError(path: string, [{ how, pid, program }]: readonly [Sign, ...Sign[]]): SessionInUseError {
  const args = { program: program ?? '?', pid: pid ?? 0, path };
  switch (how) {
    case 'lock':
      return pid === undefined
        ? new SessionInUseError('live', 'Another program has locked this session. Close it there, or fork instead: {path}', { path })
        : new SessionInUseError('live', '{program} (PID {pid}) has locked this session. Close it there, or fork instead: {path}', args);
    case 'lease':
      return new SessionInUseError(
        'live',
        '{program} (PID {pid}) has claimed this session and wouldn’t notice the change. Close it there, or fork instead: {path}',
        args,
      );
    case 'breadcrumb':
      return new SessionInUseError(
        'live',
        '{program} (PID {pid}) has this session open in a terminal and wouldn’t notice the change. Close it there, or fork instead: {path}',
        args,
      );
    case 'growth':
      return new SessionInUseError(
        'live',
        'This session’s file changed within the last 10 seconds. If oh-my-pi is using it, a change here would stop oh-my-pi from saving. Wait a moment, or fork instead: {path}',
        { path },
      );
    case 'process':
      return new SessionInUseError(
        'live',
        '{program} (PID {pid}) is running in this session’s project, and the file grew within the last 10 seconds. Wait until it’s done, or fork instead: {path}',
        args,
      );
    case 'open':
      return new SessionInUseError(
        'live',
        '{program} (PID {pid}) has this session open and wouldn’t notice the change. Close it there, or fork instead: {path}',
        args,
      );
  }
}

function unsureError(path: string, [{ how, pid, program }]: readonly [Sign, ...Sign[]]): SessionInUseError {
  if (how === 'growth') {
    return new SessionInUseError(
      'unsure',
      'This session’s file changed within the last 10 seconds, so a program may be using it. Wait a moment, or fork instead: {path}',
      { path },
    );
  }
  return pid === undefined
    ? new SessionInUseError(
        'unsure',
        'oh-my-pi last opened this session in a terminal and may still be running there. Close it there, or fork instead: {path}',
        { path },
      )
    : new SessionInUseError(
        'unsure',
        '{program} (PID {pid}) is running in this session’s project and may have it open. Close it there, or fork instead: {path}',
        { program: program ?? '?', pid, path },
      );
}

/** Milliseconds to wait for a program's lock, as long as oh-my-pi does. */
const LOCK_WAIT_MS = 500;
const LOCK_RETRY_MS = 20;

/**
 * Runs `work` while holding the lock of the file's program, if that program uses one.
 *
 * @throws {SessionError} `live` if another process holds it for longer than half a second.
 */
export async function withProgramLock<T>(path: string, dialect: Dialect, work: () => Promise<T>, disk: Disk = realDisk): Promise<T> {
  const release = await acquireProgramLock(path, dialect, disk).catch((error: unknown) => {
    throw fileError(error, path);
  });
  try {
    return await work();
  } finally {
    await release();
  }
}

async function acquireProgramLock(path: string, dialect: Dialect, disk: Disk): Promise<Release> {
  const { files, folder } = lockPaths(path);
  const { lock } = DIALECT_FACTS[dialect];
  if (lock === undefined) return () => Promise.resolve();
  const end = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const release = await (lock === 'file' ? tryCreateLockFile(files[0], disk) : takeFolder(folder, disk));
    if (release) return release;
    if (performance.now() >= end) throw liveError(path, [{ how: 'lock' }]);
    await wait(LOCK_RETRY_MS);
  }
}

type Release = () => Promise<void>;

async function tryCreateLockFile(lock: string, disk: Disk): Promise<Release | undefined> {
  const mine = `${process.pid}:${Date.now()}\n`;
  try {
    const file = await disk.open(lock, 'wx', 0o600);
    try {
      await file.writeFile(mine);
    } catch (error) {
      await disk.unlink(lock).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
    return async () => {
      // A process that took the lock for stale has created its own meanwhile.
      if ((await readLock(lock)) === mine) await disk.unlink(lock).catch(() => undefined);
    };
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  await removeStaleLockFile(lock, disk);
  return undefined;
}

async function removeStaleLockFile(lock: string, disk: Disk): Promise<void> {
  const text = await readLock(lock);
  // An unreadable lock doesn't belong to a program, and stays.
  if (text === undefined) return;
  const holder = parseLockHolder(text);
  if (holder === undefined ? await isStaleEmptyLock(lock) : !isProcessRunning(holder.pid)) await disk.unlink(lock).catch(() => undefined);
}

/**
 * Removes the program's locks on a file that the extension acquired and left when it was killed. Only called under the
 * file's lock; locks of running processes stay.
 */
export async function removeStaleProgramLocks(path: string, disk: Disk = realDisk): Promise<void> {
  const { files, folder } = lockPaths(path);
  await removeStaleLockFile(files[0], disk);
  if (await isStaleLockFolder(folder)) await disk.rmdir(folder).catch(() => undefined);
}

async function takeFolder(lock: string, disk: Disk): Promise<Release | undefined> {
  try {
    await disk.mkdir(lock);
    return () => disk.rmdir(lock).catch(() => undefined);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  if (await isStaleLockFolder(lock)) await disk.rmdir(lock).catch(() => undefined);
  return undefined;
}
