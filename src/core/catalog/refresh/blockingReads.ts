/** Reads folders and versions on the calling thread, for a process that has nothing else to do: each call takes a quarter of the time. */
import { areLocal } from '../../files/concurrency/maxConcurrentCalls';
import { fileVersionsSync } from '../worker/fileVersionsSync';
import { foldersSync } from '../worker/foldersSync';
import type { WorkerMethods } from '../worker/workerProtocol';
import type { IdleThread } from './inspectionThread';

type Kind = 'folders' | 'versions';

const READS: { readonly [K in Kind]: (params: WorkerMethods[K]['params']) => WorkerMethods[K]['result'] } = {
  folders: (requests) => foldersSync(requests),
  versions: (paths) => fileVersionsSync(paths),
};

/** @param folders the folders that contain all files: if one of them is on a disk that may hang, nothing is read here */
export function blockingReads(folders: readonly string[]): IdleThread {
  let canBlock: Promise<boolean> | undefined;
  return {
    requestIfIdle: async (kind, params) => ((await (canBlock ??= areLocal(folders))) ? READS[kind](params) : undefined),
  };
}
