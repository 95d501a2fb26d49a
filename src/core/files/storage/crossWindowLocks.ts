/**
 * Cross-window lock for one file, and a record of the extension's last write to it. Both are kept in a folder that all
 * windows share; a file is identified there by a hash of its real path.
 */
import { readdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../format/entry/jsonValues';
import { errorCode } from '../io/fileErrors';
import { runGrouped } from '../concurrency/runGrouped';
import { overwritePrivateFile, readPrivateJson } from './privateStorage';
import { removeStaleTemporaryFiles } from './temporaryFiles';
import { isSessionName } from '../locate/listFiles';
import { makePrivateFolder } from './privateFolder';
import { isNormalAbsolutePath } from './pathChecks';
import type { FileVersion } from '../read/sessionFile';
import { removeStaleLock, shortHash, parseLockText, isHolderRunning, readLockFile, acquireFileLock } from './fileLock';

/** The last write of one of the extension's windows to a file. */
export interface OwnWrite {
  readonly version: FileVersion;
  /** Time of the last write by another program in between, in milliseconds since 1970. */
  readonly foreignMs: number;
}

export interface CrossWindowLocks {
  /**
   * Runs `work` while no other window works on the file.
   *
   * @throws {SessionError} `live` after ten seconds of waiting.
   */
  withFileLock<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** The last write of any window, as far as it was recorded. */
  lastWrite(path: string): Promise<OwnWrite | undefined>;
  saveWrite(path: string, write: OwnWrite): Promise<void>;
  /**
   * Releases the locks of processes that are gone, and runs `work` for each session file among theirs under a lock of
   * its own. Called at start.
   *
   * @throws all failures, after the other files are done; see `runGrouped`.
   */
  recoverLocks(work: (path: string) => Promise<void>): Promise<void>;
  /** Removes records that are older than this. */
  prune(maxAgeMs: number): Promise<void>;
}

/** For a single process, which orders its own writes: no locks and no records. */
export const singleProcessLocks: CrossWindowLocks = {
  withFileLock: (_, work) => work(),
  lastWrite: () => Promise.resolve(undefined),
  saveWrite: () => Promise.resolve(),
  recoverLocks: () => Promise.resolve(),
  prune: () => Promise.resolve(),
};

/**
 * Creates the locks below `folder`, which belongs to the extension. It's created on demand, readable by this user only.
 */
export function createCrossWindowLocks(folder: string): CrossWindowLocks {
  const place = (path: string, kind: 'locks' | 'writes', end: string): string => join(folder, kind, `${shortHash(path)}${end}`);
  const made = new Set<string>();
  const make = async (kind: string): Promise<void> => {
    if (made.has(kind)) return;
    await makePrivateFolder(join(folder, kind));
    made.add(kind);
  };

  const inTurn = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    await make('locks');
    const release = await acquireFileLock(place(path, 'locks', '.lock'), path);
    try {
      return await work();
    } finally {
      await release();
    }
  };

  interface Left {
    readonly lock: string;
    /** Absent if the lock's text doesn't match its own name. Then no other file is touched. */
    readonly path?: string;
  }
  const leftTurns = async (): Promise<Left[]> => {
    const locks = join(folder, 'locks');
    await removeStaleTemporaryFiles(locks);
    const left: Left[] = [];
    for (const name of await readdir(locks).catch(noneYet)) {
      const lock = join(locks, name);
      const found = await readLockFile(lock).catch(() => ({ text: '', mtimeNs: 0n, ino: 0n }));
      if (!found || (await isHolderRunning(found))) continue;
      const path = parseLockText(found.text)?.path;
      const isSession = isNormalAbsolutePath(path) && isSessionName(basename(path)) && lock === place(path, 'locks', '.lock');
      left.push(isSession ? { lock, path } : { lock });
    }
    return left;
  };

  return {
    withFileLock: inTurn,
    lastWrite: async (path) => parseWrite(await readPrivateJson(place(path, 'writes', '.json')).catch(() => undefined)),
    // A failure is ignored: the next window then only finds the file `unsure`.
    saveWrite: async (path, write) => {
      await make('writes')
        .then(() => overwritePrivateFile(place(path, 'writes', '.json'), JSON.stringify(write)))
        .catch(() => undefined);
    },
    recoverLocks: async (work) =>
      runGrouped(
        await leftTurns(),
        ({ path }) => (path === undefined ? '' : dirname(path)),
        // Acquiring the lock removes the stale one. If another window is already working on the file, no recovery is
        // needed.
        ({ lock, path }) => (path === undefined ? removeStaleLock(lock) : inTurn(path, () => work(path))),
      ),
    prune: async (maxAgeMs) => {
      for (const name of await readdir(join(folder, 'writes')).catch(() => [])) {
        const write = join(folder, 'writes', name);
        const { mtimeMs } = await stat(write).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < Date.now() - maxAgeMs) await unlink(write).catch(() => undefined);
      }
    },
  };
}

const noneYet = (error: unknown): string[] => {
  if (errorCode(error) === 'ENOENT') return [];
  throw error;
};

function parseWrite(value: unknown): OwnWrite | undefined {
  if (!isObject(value) || !isObject(value['version'])) return undefined;
  const { size, mtimeMs, ino } = value['version'];
  const { foreignMs } = value;
  if (!isFinite(size) || !isFinite(mtimeMs) || typeof ino !== 'string' || !isFinite(foreignMs)) return undefined;
  return { version: { size, mtimeMs, ino }, foreignMs };
}

const isFinite = (value: unknown): value is number => Number.isFinite(value);
