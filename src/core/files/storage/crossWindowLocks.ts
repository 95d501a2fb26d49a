/**
 * Cross-window lock for one file, and a record of the extension's last write to it. Both are kept in a folder that all
 * windows share; a file is identified there by a hash of its real path.
 */
import { createHash } from 'node:crypto';
import { readdir, rm, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isNumber, isObjectOf } from '../../format/values/checks';
import { errorCode } from '../io/fileErrors';
import { runGrouped } from '../concurrency/runGrouped';
import { overwritePrivateFile, readPrivateJson } from './privateStorage';
import { isSessionName } from '../locate/listFiles';
import { makePrivateFolder } from './privateFolder';
import { isNormalAbsolutePath } from './pathChecks';
import { isFileVersion, type FileVersion } from '../read/versions/fileVersion';
import { withFreeSqliteLock, withSqliteLock } from './sqliteLock';
import { readSmallText } from '../io/smallFile';

/** The last write of one of the extension's windows to a file. */
export interface OwnWrite {
  readonly version: FileVersion;
  /** Time of the last write by another program in between, in milliseconds since 1970. */
  readonly foreignMs: number;
}

/**
 * Runs `work` while no other window works on the key's subject.
 *
 * @param folder belongs to the extension. It's created on demand, readable by this user only.
 * @throws {SessionInUseError} `live` after ten seconds of waiting.
 */
export async function withLock<T>(folder: string, key: string, work: () => Promise<T>): Promise<T> {
  const locks = join(folder, LOCKS);
  await makePrivateFolder(locks);
  return withSqliteLock(join(locks, `${shortHash(key)}${LOCK}`), key, work);
}

/** Runs `work` like {@link withLock}, but not at all while another window works on the key's subject. */
export async function withFreeLock(folder: string, key: string, work: () => Promise<void>): Promise<void> {
  const locks = join(folder, LOCKS);
  await makePrivateFolder(locks);
  await withFreeSqliteLock(join(locks, `${shortHash(key)}${LOCK}`), work);
}

/** Locks for session files, and records of the last writes to them. */
export interface CrossWindowLocks {
  /** Runs `work` while no other window works on the file; see {@link withLock}. */
  withFileLock<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** The last recorded write of any window. */
  lastWrite(path: string): Promise<OwnWrite | undefined>;
  saveWrite(path: string, write: OwnWrite): Promise<void>;
  /**
   * Runs `work` for each session file that a process was working on when it was killed, under the file's lock. Called at
   * start.
   *
   * @throws all failures, after the other files are done; see `runGrouped`.
   */
  recover(work: (path: string) => Promise<void>): Promise<void>;
  /** Removes records that are older than this. */
  prune(maxAgeMs: number): Promise<void>;
}

/** For a single process, which orders its own writes: no locks and no records. */
export const singleProcessLocks: CrossWindowLocks = {
  withFileLock: (_, work) => work(),
  lastWrite: () => Promise.resolve(undefined),
  saveWrite: () => Promise.resolve(),
  recover: () => Promise.resolve(),
  prune: () => Promise.resolve(),
};

const LOCKS = 'locks';
const LOCK = '.lock';
/** A note with the path of the file that a window works on. It stays if the process is killed. */
const NOTE = '.path';

/** Creates the locks below `folder`; see {@link withLock}. */
export function createCrossWindowLocks(folder: string): CrossWindowLocks {
  const locks = join(folder, LOCKS);
  const writeOf = (path: string): string => join(folder, 'writes', `${shortHash(path)}.json`);

  const recoverFile = (note: string, work: (path: string) => Promise<void>): Promise<void> =>
    withFreeSqliteLock(`${note.slice(0, -NOTE.length)}${LOCK}`, async () => {
      const path = await readSmallText(note, { maxBytes: MAX_NOTE_BYTES, followLink: false }).catch(() => undefined);
      if (isNormalAbsolutePath(path) && isSessionName(basename(path))) await work(path);
      await rm(note, { force: true, recursive: true });
    });

  return {
    withFileLock: (path, work) =>
      withLock(folder, path, async () => {
        const note = join(locks, `${shortHash(path)}${NOTE}`);
        await overwritePrivateFile(note, path);
        try {
          return await work();
        } finally {
          await unlink(note).catch(() => undefined);
        }
      }),
    lastWrite: async (path) => {
      const write = await readPrivateJson(writeOf(path)).catch(() => undefined);
      return isOwnWrite(write) ? write : undefined;
    },
    // A failure is ignored: the next window then only finds the file `unsure`.
    saveWrite: async (path, write) => {
      await makePrivateFolder(join(folder, 'writes'))
        .then(() => overwritePrivateFile(writeOf(path), JSON.stringify(write)))
        .catch(() => undefined);
    },
    recover: async (work) => {
      const notes = (await readdir(locks).catch(noneYet)).filter((name) => name.endsWith(NOTE));
      await runGrouped(
        notes,
        (name) => name,
        (name) => recoverFile(join(locks, name), work),
      );
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

/** Largest size of a note, in bytes. */
const MAX_NOTE_BYTES = 64 * 1024;

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const noneYet = (error: unknown): string[] => {
  if (errorCode(error) === 'ENOENT') return [];
  throw error;
};

const isOwnWrite = isObjectOf<OwnWrite>({
  version: isFileVersion,
  foreignMs: isNumber,
});
