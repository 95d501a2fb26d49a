/** Sends requests to the thread that reads the database, and replaces the thread when a response takes too long. */
import type { Worker, WorkerOptions } from 'node:worker_threads';
import { SessionError } from '../../format/entry/problem';
import { DamagedDatabase } from '../encoding/damagedDatabase';
import { WorkerClient, type PendingRequest } from './workerClient';
import { deserializeError } from '../../files/concurrency/threadErrors';
import type { SearchWorkerData, WorkerMessage, WorkerMethods, WorkerRequest, WorkerResponse } from './protocol/workerProtocol';

interface PendingCall extends PendingRequest {
  readonly request: WorkerRequest;
  readonly resolve: (result: never) => void;
  /** The thread does nothing else until it responds. */
  isRunning?: true;
}

/** Milliseconds. `answer`: for a response. `stop`: for the thread to leave a request that was aborted. */
export interface RequestTimeouts {
  readonly answer: number;
  readonly stop: number;
}

const DEFAULT_TIMEOUTS: RequestTimeouts = { answer: 60_000, stop: 1000 };

/** The messages for responses that take too long. The other methods have callers that do without a response. */
const TIMEOUT_MESSAGES: { readonly [K in keyof WorkerMethods]?: string } = {
  search: 'The search took longer than {seconds} seconds and was stopped. Try fewer or longer words.',
  sessionsMatching: 'The search took longer than {seconds} seconds and was stopped. Try fewer or longer words.',
  knownWords: 'The search took longer than {seconds} seconds and was stopped. Try fewer or longer words.',
  tools: 'Listing the tools took longer than {seconds} seconds and was stopped. Try again.',
  touching: 'Finding the sessions for this file took longer than {seconds} seconds and was stopped. Try again.',
  locatedTouches: 'Finding the sessions for this file took longer than {seconds} seconds and was stopped. Try again.',
  touchesWithin: 'Finding the files that sessions wrote took longer than {seconds} seconds and was stopped. Try again.',
  usage: 'Adding up the usage took longer than {seconds} seconds and was stopped. Try again.',
};

export class SearchWorkerClient extends WorkerClient<WorkerResponse, PendingCall> {
  /** Aborted requests that the thread hasn't left yet. */
  private readonly stopping = new Map<number, NodeJS.Timeout>();
  /** Called as soon as the thread has nothing to do. */
  private idleListeners: (() => void)[] = [];

  constructor(
    private readonly workerData: SearchWorkerData,
    private readonly timeouts = DEFAULT_TIMEOUTS,
  ) {
    super('session-tree search');
  }

  protected override startServing(options: WorkerOptions): Worker {
    return this.startThread(this.workerData, options);
  }

  /** @throws the signal's reason when it is aborted, and the thread's errors; {SessionError} `invalid` if the response takes too long. */
  async request<K extends keyof WorkerMethods>(
    kind: K,
    params: WorkerMethods[K]['params'],
    signal?: AbortSignal,
    timeout = this.timeouts.answer,
  ): Promise<WorkerMethods[K]['result']> {
    signal?.throwIfAborted();
    this.assertOpen();
    const id = this.newId();
    // The parameters match the method, which TypeScript doesn't follow through the union.
    const request = { id, kind, params } as WorkerRequest;
    this.runningWorker().postMessage(request);
    const response = new Promise<WorkerMethods[K]['result']>((resolve, reject) => this.addPending(id, { request, resolve, reject }));
    const onAbort = (): void => {
      this.cancel(id);
      this.takePending(id)?.reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      this.takePending(id)?.reject(timeoutError(kind, timeout));
      this.restart();
    }, timeout).unref();
    try {
      return await response;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Like `request`; `undefined` if the thread isn't running or is busy. For requests that can be fulfilled without the thread.
   *
   * @param timeout for the response, in milliseconds
   * @param isLarge true if that would take much longer: the thread is started if it isn't running, and has another `timeout` to become idle
   */
  async requestIfIdle<K extends keyof WorkerMethods>(
    kind: K,
    params: WorkerMethods[K]['params'],
    timeout: number,
    isLarge = false,
  ): Promise<WorkerMethods[K]['result'] | undefined> {
    if (isLarge && !this.isIdle) await this.becameIdle(timeout);
    const isUsable = this.worker !== undefined || (isLarge && !this.closed);
    return isUsable && this.isIdle ? this.request(kind, params, undefined, timeout) : undefined;
  }

  close(): Promise<void> {
    return this.end(() => this.request('close', undefined));
  }

  private get isIdle(): boolean {
    return this.pending.size + this.stopping.size === 0;
  }

  /** Resolves as soon as the thread is idle, and after these milliseconds at the latest. */
  private becameIdle(timeout: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeout).unref();
      this.idleListeners.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** To be called after a request or a stop has ended. */
  private notifyIfIdle(): void {
    if (!this.isIdle) return;
    const listeners = this.idleListeners;
    this.idleListeners = [];
    for (const listener of listeners) listener();
  }

  protected override takePending(id: number): PendingCall | undefined {
    const call = super.takePending(id);
    this.notifyIfIdle();
    return call;
  }

  protected override handleResponse(response: WorkerResponse): void {
    if ('started' in response) {
      const call = this.pending.get(response.id);
      if (call) call.isRunning = true;
      return;
    }
    clearTimeout(this.stopping.get(response.id));
    this.stopping.delete(response.id);
    const call = this.takePending(response.id);
    if ('error' in response) call?.reject(deserializeError(response.error));
    else if ('damaged' in response) call?.reject(new DamagedDatabase('The database is damaged.', response.damaged));
    // The response has the id of its request, so its result is the result of the request's method.
    else if ('result' in response) call?.resolve(response.result as never);
  }

  protected override workerLost(): void {
    for (const timer of this.stopping.values()) clearTimeout(timer);
    this.stopping.clear();
    this.notifyIfIdle();
  }

  /** A thread that is in the middle of an aborted search can't respond to anything else, so it is replaced after a while. */
  private cancel(id: number): void {
    this.worker?.postMessage({ id, kind: 'stop' } satisfies WorkerMessage);
    this.stopping.set(id, setTimeout(() => this.stopTimedOut(id), this.timeouts.stop).unref());
  }

  private stopTimedOut(id: number): void {
    // Another request occupies the thread, and has its own timeout. Until its response the thread doesn't see the stop.
    const isOccupied = [...this.pending.values()].some(({ isRunning }) => isRunning);
    if (isOccupied) this.stopping.set(id, setTimeout(() => this.stopTimedOut(id), this.timeouts.stop).unref());
    else this.restart();
  }

  /** Starts another thread, which gets the pending requests. */
  private restart(): void {
    this.dropWorker();
    for (const call of this.pending.values()) {
      delete call.isRunning;
      this.runningWorker().postMessage(call.request);
    }
    if (this.pending.size > 0) this.worker?.ref();
  }
}

function timeoutError(kind: keyof WorkerMethods, timeout: number): Error {
  const template = TIMEOUT_MESSAGES[kind];
  const seconds = Math.round(timeout / 1000);
  return template === undefined
    ? new Error(`The search thread took longer than ${seconds} seconds for “${kind}”.`)
    : new SessionError('invalid', template, { seconds });
}
