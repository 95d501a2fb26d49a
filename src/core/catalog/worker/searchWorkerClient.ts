/** The calling thread's end of the one that answers questions: started with the first, and again if it broke down or doesn't answer. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SessionError } from '../../format/entry/problem';
import type { SearchWorkerData, WorkerRequest, WorkerMethods, WorkerResponse, WorkerMessage } from './searchWorker';
import { DamagedDatabase } from '../database/databaseErrors';
import { deserializeError } from './workerProtocol';

interface PendingRequest {
  readonly request: WorkerRequest;
  readonly resolve: (told: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds that an answer may take, and that the thread may take to leave a question that was stopped. */
export interface RequestTimeouts {
  readonly answer: number;
  readonly stop: number;
}

const DEFAULT_TIMEOUTS: RequestTimeouts = { answer: 60_000, stop: 1000 };

export class SearchWorkerClient {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, PendingRequest>();
  /** Questions that were stopped, and that the thread hasn't left yet. */
  private readonly stopping = new Map<number, NodeJS.Timeout>();
  private ids = 0;
  private closed = false;

  constructor(
    private readonly workerData: SearchWorkerData,
    private readonly timeouts = DEFAULT_TIMEOUTS,
  ) {}

  /** Starts the thread, which then waits for a question. */
  ensureStarted(): void {
    if (!this.closed) this.worker ??= this.start();
  }

  /** @throws the signal's reason when it is aborted, and what went wrong there; {SessionError} `invalid` if it takes too long. */
  async request<K extends keyof WorkerMethods>(kind: K, of: WorkerMethods[K]['of'], signal?: AbortSignal, patience = this.timeouts.answer): Promise<WorkerMethods[K]['told']> {
    signal?.throwIfAborted();
    if (this.closed) throw new Error('The catalog is closed.');
    const id = ++this.ids;
    const question = { id, kind, of } as WorkerRequest;
    this.post(question);
    const told = new Promise<WorkerMethods[K]['told']>((resolve, reject) => this.pending.set(id, { request: question, resolve, reject }));
    this.worker?.ref();
    const onAbort = (): void => {
      this.cancel(id);
      this.takePending(id)?.reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const late = setTimeout(() => {
      this.takePending(id)?.reject(new SessionError('invalid', 'This took longer than {seconds} seconds and was ended. Search for fewer or longer words.', { seconds: Math.round(patience / 1000) }));
      this.restart();
    }, patience).unref();
    try {
      return await told;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** As `ask`, for what can as well be done elsewhere; `undefined` while the thread has something else to do, or doesn't run. */
  async requestIfIdle<K extends keyof WorkerMethods>(kind: K, of: WorkerMethods[K]['of'], patience: number): Promise<WorkerMethods[K]['told'] | undefined> {
    const isIdle = this.worker !== undefined && this.pending.size + this.stopping.size === 0;
    return isIdle ? this.request(kind, of, undefined, patience) : undefined;
  }

  async close(): Promise<void> {
    const told = this.worker && this.request('close', undefined);
    this.closed = true;
    await told?.catch(() => undefined);
    this.clearStopTimers();
    await this.worker?.terminate();
  }

  /** A thread that is in the middle of something long answers nothing else meanwhile. */
  private cancel(id: number): void {
    this.worker?.postMessage({ id, kind: 'stop' } satisfies WorkerMessage);
    this.stopping.set(id, setTimeout(() => this.restart(), this.timeouts.stop).unref());
  }

  /** With a new thread, which gets the questions that still wait. */
  private restart(): void {
    const before = this.worker;
    this.worker = undefined;
    this.clearStopTimers();
    void before?.terminate();
    for (const { request: question } of this.pending.values()) this.post(question);
  }

  private clearStopTimers(): void {
    for (const timer of this.stopping.values()) clearTimeout(timer);
    this.stopping.clear();
  }

  private post(question: WorkerRequest): void {
    (this.worker ??= this.start()).postMessage(question);
    if (this.pending.size > 0) this.worker.ref();
  }

  private start(): Worker {
    // It lies beside whatever this is built into.
    const worker = new Worker(join(__dirname, 'catalogWorker.js'), { name: 'session-tree search', workerData: this.workerData });
    worker.unref();
    const failed = (error: unknown): void => {
      // Another one has its place already.
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.clearStopTimers();
      for (const id of [...this.pending.keys()]) this.takePending(id)?.reject(error);
    };
    worker.on('message', (message: WorkerResponse) => {
      if (this.worker === worker) this.handleResponse(message);
    });
    worker.on('error', failed);
    worker.on('exit', (code) => failed(new Error(`The catalog's searching thread ended with code ${code}.`)));
    return worker;
  }

  private handleResponse(message: WorkerResponse): void {
    clearTimeout(this.stopping.get(message.id));
    this.stopping.delete(message.id);
    const waiting = this.takePending(message.id);
    if ('error' in message) waiting?.reject(deserializeError(message.error));
    else if ('damaged' in message) waiting?.reject(new DamagedDatabase('The database is damaged.', message.damaged));
    else if ('told' in message) waiting?.resolve(message.told as never);
  }

  private takePending(id: number): PendingRequest | undefined {
    const waiting = this.pending.get(id);
    this.pending.delete(id);
    if (this.pending.size === 0) this.worker?.unref();
    return waiting;
  }
}
