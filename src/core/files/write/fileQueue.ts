/** Changes of one file one after the other, in this process and across windows. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withDeadline } from '../concurrency/deadline';
import type { RootGuard } from '../locate/readOnlyRoots';
import type { CrossWindowLocks } from '../storage/crossWindowLocks';
import { assertIsOwnFile } from './assertWritable';

/** Runs `work` on the absolute path of a file, after all earlier work on the same file. @throws the errors of `work` */
export type FileQueue = <T>(given: string, work: (path: string) => Promise<T>) => Promise<T>;

/**
 * @param windows the locks that the work of other windows waits for.
 * @param assertChangeable refuses files that are never changed.
 */
export function createFileQueue(
  windows: Pick<CrossWindowLocks, 'withFileLock'>,
  assertChangeable: RootGuard = () => Promise.resolve(),
): FileQueue {
  const queues = new Map<string, Promise<unknown>>();
  let named: Promise<unknown> = Promise.resolve();

  return async (given, work) => {
    const path = resolve(given);
    // Changes keep the order of their calls, however long it takes to resolve their files.
    const naming = Promise.all([named, keyOf(path)]);
    named = naming;
    const [, key] = await naming;
    const turn = (queues.get(key) ?? Promise.resolve()).then(async () => {
      await assertIsOwnFile(path);
      await assertChangeable(path);
      return windows.withFileLock(key, () => work(path));
    });
    const settled = turn.catch(() => undefined);
    queues.set(key, settled);
    try {
      return await turn;
    } finally {
      if (queues.get(key) === settled) queues.delete(key);
    }
  };
}

/**
 * Milliseconds that resolving a path may take. After that, the path itself is used; later calls have their own limits.
 */
const REALPATH_TIMEOUT_MS = 2000;

/** Returns the key of a file's queue: its real path, so that all its names share one queue. */
export function keyOf(path: string): Promise<string> {
  return withDeadline(realpath(path), REALPATH_TIMEOUT_MS, () => new Error('no answer in time')).catch(() => path);
}
