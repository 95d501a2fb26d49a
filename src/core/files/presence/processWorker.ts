/**
 * The thread of `ProcessThread`. Reading a process's command line waits for that process's memory, which may wait for a
 * dead mount.
 */
import { parentPort } from 'node:worker_threads';
import { inspectProcesses, type ProcessSnapshot } from './inspectProcesses';
import { thisSystem } from './system';

export interface ProcessRequest {
  readonly id: number;
  readonly files: readonly string[];
  readonly leases: readonly string[];
}

export interface ProcessResponse extends ProcessSnapshot {
  readonly id: number;
}

if (!parentPort) throw new Error('This module runs in a thread.');
const port = parentPort;

port.on('message', ({ id, files, leases }: ProcessRequest) => {
  // `inspectProcesses` doesn't reject. If it did, the thread would end with that error, and `ProcessThread` would
  // handle its `exit` event.
  void inspectProcesses(files, thisSystem, leases).then((found) => port.postMessage({ id, ...found } satisfies ProcessResponse));
});
