/** The calling thread's end of the worker: started when there is something to do, and again if it broke down. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DatabasePlace } from './database';
import { errorOf, type Answer, type Request, type StaleFile } from './protocol';

type Progress = Extract<Answer, { kind: 'progress' }>;

interface Waiting {
  readonly resolve: (anew: boolean) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress?: (progress: Progress) => void;
}

export class WorkerLink {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private readonly stops = new Set<Int32Array<SharedArrayBuffer>>();
  private ids = 0;

  constructor(private readonly place: DatabasePlace) {}

  /** Resolves when all is stored, or after `signal` when what was done is: to whether the database had to be made anew. */
  async index(work: { readonly files: readonly StaleFile[]; readonly gone: readonly string[] }, signal: AbortSignal | undefined, onProgress: (progress: Progress) => void): Promise<boolean> {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const onAbort = (): void => void Atomics.store(stop, 0, 1);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.stops.add(stop);
    try {
      return await this.ask({ kind: 'index', id: ++this.ids, ...work, stop }, onProgress);
    } finally {
      this.stops.delete(stop);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async forget(paths: readonly string[] | undefined): Promise<void> {
    await this.ask({ kind: 'forget', id: ++this.ids, ...(paths === undefined ? {} : { paths }) });
  }

  /** Ends what is going on as soon as what was done is stored. */
  stop(): void {
    for (const stop of this.stops) Atomics.store(stop, 0, 1);
  }

  async close(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    await this.ask({ kind: 'close', id: ++this.ids }).catch(() => undefined);
    this.worker = undefined;
    await worker.terminate();
  }

  private ask(request: Request, onProgress?: (progress: Progress) => void): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const worker = (this.worker ??= this.start());
      this.waiting.set(request.id, { resolve, reject, ...(onProgress ? { onProgress } : {}) });
      worker.ref();
      worker.postMessage(request);
    });
  }

  private start(): Worker {
    // It lies beside whatever this is built into.
    const worker = new Worker(join(__dirname, 'catalogWorker.js'), { workerData: this.place, name: 'session-tree catalog' });
    const failed = (error: unknown): void => {
      if (this.worker === worker) this.worker = undefined;
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    };
    worker.on('message', (answer: Answer) => this.take(answer));
    worker.on('error', failed);
    worker.on('exit', (code) => failed(new Error(`The catalog's worker ended with code ${code}.`)));
    return worker;
  }

  private take(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    if (answer.kind === 'progress') {
      waiting.onProgress?.(answer);
      return;
    }
    this.waiting.delete(answer.id);
    if (this.waiting.size === 0) this.worker?.unref();
    if (answer.kind === 'done') waiting.resolve(answer.anew);
    else waiting.reject(errorOf(answer.error));
  }
}
