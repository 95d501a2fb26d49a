/** The thread that reads folders and versions for inspections of the disk: the search thread, as long as it's idle. */
import type { WorkerMethods } from '../worker/protocol/workerProtocol';

export interface IdleThread {
  /** See `SearchWorkerClient`. */
  readonly requestIfIdle: <K extends 'versions' | 'folders'>(
    kind: K,
    params: WorkerMethods[K]['params'],
    timeout: number,
    isLarge?: boolean,
  ) => Promise<WorkerMethods[K]['result'] | undefined>;
}

/** Below this number of files the calling thread is faster. */
export const MIN_THREAD_FILES = 200;
/** From this number of files on the thread is faster even if it has to be started. */
export const MIN_START_FILES = 5000;

/** Milliseconds for one request before the thread counts as blocked by a disk. */
const TIMEOUT_MS = 2000;

/**
 * Milliseconds in which the thread isn't used after it was blocked. A disk that hangs blocks the next thread, too, so each
 * further pause is twice as long. A computer that slept during a request looks the same.
 */
const FIRST_PAUSE_MS = 5 * 60_000;

export class InspectionThread {
  private thread: IdleThread | undefined;
  private pause = FIRST_PAUSE_MS;
  private pausedUntil = -Infinity;

  /** @param now returns a time in milliseconds */
  constructor(private readonly now = () => performance.now()) {}

  use(thread: IdleThread): void {
    this.thread = thread;
  }

  /** Does nothing if another thread is in use. */
  release(thread: IdleThread): void {
    if (this.thread === thread) this.thread = undefined;
  }

  /** `undefined` if there's no thread, or if it's busy or breaks down. @param isLarge true if it's worth starting the thread, or waiting for it */
  async request<K extends 'versions' | 'folders'>(
    kind: K,
    params: WorkerMethods[K]['params'],
    isLarge: boolean,
  ): Promise<WorkerMethods[K]['result'] | undefined> {
    if (this.now() < this.pausedUntil) return undefined;
    try {
      const result = await this.thread?.requestIfIdle(kind, params, TIMEOUT_MS, isLarge);
      if (result !== undefined) this.pause = FIRST_PAUSE_MS;
      return result;
    } catch {
      this.pausedUntil = this.now() + this.pause;
      this.pause *= 2;
      return undefined;
    }
  }
}
