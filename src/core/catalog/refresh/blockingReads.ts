/** Reads folders and versions on the calling thread, for a process that has nothing else to do: each call takes a quarter of the time. */
import { areLocal } from '../../files/concurrency/maxConcurrentCalls';
import { fileVersionsSync } from '../worker/fileVersionsSync';
import { foldersSync } from '../worker/foldersSync';
import type { ReadFolder } from '../worker/protocol/packedFolder';
import type { WorkerMethods } from '../worker/protocol/workerProtocol';
import type { DiskState } from './diskState';
import type { IdleThread } from './inspectionThread';

type Kind = 'folders' | 'versions';

type Reads = { readonly [K in Kind]: (params: WorkerMethods[K]['params']) => WorkerMethods[K]['result'] };

/**
 * @param folders the folders that contain all files: if one of them is on a disk that may hang, nothing is read here
 * @param read folders that were read a moment ago, by path: each is returned once
 */
export function blockingReads(folders: readonly string[], read: DiskState['folders'] = new Map()): IdleThread {
  const left = new Map(read);
  let canBlock: Promise<boolean> | undefined;
  const reads: Reads = {
    folders: (requests) => {
      const known = requests.map(({ path }) => left.get(path));
      for (const { path } of requests) left.delete(path);
      const others = foldersSync(requests.filter((_, at) => !known[at])).values();
      const found: ReadFolder[] = [];
      for (const one of known) {
        const folder = one ?? others.next().value;
        // The caller asks for what is missing again.
        if (folder === undefined) break;
        found.push(folder);
      }
      return found;
    },
    versions: (paths) => fileVersionsSync(paths),
  };
  return {
    requestIfIdle: async (kind, params) => ((await (canBlock ??= areLocal(folders))) ? reads[kind](params) : undefined),
  };
}
