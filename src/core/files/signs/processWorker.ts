/** The thread of `ProcessThread`. Reading a process's command line waits for that process's memory, which may wait for a dead mount. */
import { parentPort } from 'node:worker_threads';
import { processesAt, type Processes } from './processes';
import { thisSystem } from './system';

export interface ProcessQuestion {
  readonly id: number;
  readonly files: readonly string[];
}

export interface ProcessAnswer extends Processes {
  readonly id: number;
}

parentPort!.on('message', ({ id, files }: ProcessQuestion) => {
  // `processesAt` doesn't reject; if it did, the thread would end with that error, and its other end would know.
  void processesAt(files, thisSystem).then((found) => parentPort!.postMessage({ id, ...found } satisfies ProcessAnswer));
});
