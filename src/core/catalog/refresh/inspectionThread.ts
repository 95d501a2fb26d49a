/** The thread that reads folders and versions for inspections of the disk: the search thread, as long as it's idle. */
import type { SearchWorkerClient } from '../worker/searchWorkerClient';
import type { WorkerMethods } from '../worker/workerProtocol';

export type IdleThread = Pick<SearchWorkerClient, 'requestIfIdle'>;

/** Below this number of files the calling thread is faster. */
export const MIN_THREAD_FILES = 200;
/** From this number of files on the thread is faster even if it has to be started. */
export const MIN_START_FILES = 5000;

/** Milliseconds for one request before the thread counts as blocked by a disk. */
const TIMEOUT_MS = 2000;

export class InspectionThread {
  private thread: IdleThread | undefined;

  use(thread: IdleThread): void {
    this.thread = thread;
  }

  /** Does nothing if another thread is in use. */
  release(thread: IdleThread): void {
    if (this.thread === thread) this.thread = undefined;
  }

  /** `undefined` if there's no thread, or if it's busy or breaks down. @param mayStart true if it's worth starting the thread */
  async request<K extends 'versions' | 'folders'>(
    kind: K,
    params: WorkerMethods[K]['params'],
    mayStart: boolean,
  ): Promise<WorkerMethods[K]['result'] | undefined> {
    const { thread } = this;
    return thread?.requestIfIdle(kind, params, TIMEOUT_MS, mayStart).catch(() => {
      // A disk that hangs must not block the next thread, too.
      this.release(thread);
      return undefined;
    });
  }
}
