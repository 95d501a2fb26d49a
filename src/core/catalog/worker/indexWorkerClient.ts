/** The calling thread's end of the worker: started when there is something to do, and again if it broke down. */
import { join } from 'node:path';
import { MessageChannel, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads';
import { Yielder } from '../../files/io/eventLoop';
import type { DatabaseLocation } from '../database/database';
import { deserializeError, isLargeBatch, type IndexResponse, type IndexRequest, type StaleFile, type IndexMessage, type WorkerData } from './workerProtocol';

type Progress = Extract<IndexResponse, { kind: 'progress' }>;

/** Files that are told of at a time. */
const BATCH_SIZE = 250;

interface PendingRequest {
  readonly resolve: (anew: boolean) => void;
  readonly reject: (error: unknown) => void;
  readonly isCheck: boolean;
  readonly onProgress?: (progress: Progress) => void;
}

interface RequestOptions {
  readonly files?: readonly StaleFile[];
  readonly onProgress?: (progress: Progress) => void;
  readonly transfer?: readonly MessagePort[];
}

export class IndexWorkerClient {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, PendingRequest>();
  private readonly stops = new Set<Int32Array<SharedArrayBuffer>>();
  private ids = 0;
  private starting: Promise<unknown> = Promise.resolve();
  /** Whether the running worker has the database open. */
  private isChecked = false;
  private isClosed = false;
  private readonly onChecked = new Set<() => void>();

  constructor(private readonly place: DatabaseLocation) {}

  /** Resolves when all is stored, or after `signal` when what was done is: to whether the database had to be made anew. `fresh`: the files of which nothing is known. */
  async index({ files, gone }: { readonly files: readonly StaleFile[]; readonly gone: readonly string[] }, fresh: readonly StaleFile[], signal: AbortSignal | undefined, onProgress: (progress: Progress) => void): Promise<boolean> {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const onAbort = (): void => void Atomics.store(stop, 0, 1);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.stops.add(stop);
    this.worker ??= this.start();
    // Started now, both are ready at the same time.
    const reader = isLargeBatch(fresh) ? this.startScanThread() : undefined;
    try {
      return await this.request({ kind: 'index', id: ++this.ids, gone, stop, ...(reader ? { reader } : {}) }, { files, onProgress, transfer: reader ? [reader] : [] });
    } finally {
      // Of a reader whose writer broke down nobody takes anything, and it ends with its port, if that writer never had it.
      onAbort();
      reader?.close();
      this.stops.delete(stop);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Resolves when the database is known to be as it was written: to whether it had to be made anew for this. While files
   * are read, that is as soon as the worker has opened it. `damaged`: number of the file in which a reader met damage.
   */
  async check(damaged?: bigint): Promise<boolean> {
    if (this.isChecked && damaged === undefined) return false;
    const id = ++this.ids;
    const done = this.request({ kind: 'check', id, ...(damaged === undefined ? {} : { damaged }) });
    if (damaged !== undefined) return done;
    let isOpen = (): void => undefined;
    const opened = new Promise<boolean>((resolve) => (isOpen = () => resolve(false)));
    this.onChecked.add(isOpen);
    return Promise.race([done, opened]).finally(() => this.onChecked.delete(isOpen));
  }

  async forget(paths: readonly string[] | undefined): Promise<void> {
    await this.request({ kind: 'forget', id: ++this.ids, ...(paths === undefined ? {} : { paths }) });
  }

  /** Resolves when the threads run that are being started. */
  async whenStarted(): Promise<void> {
    await this.starting;
  }

  /** Ends what is going on as soon as what was done is stored. */
  stop(): void {
    for (const stop of this.stops) Atomics.store(stop, 0, 1);
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.isClosed = true;
    if (!worker) return;
    await this.send({ kind: 'close', id: ++this.ids }).catch(() => undefined);
    this.worker = undefined;
    this.isChecked = false;
    await worker.terminate();
  }

  private async request(request: IndexRequest, asked: RequestOptions = {}): Promise<boolean> {
    if (this.isClosed) throw new Error('The catalog is closed.');
    return this.send(request, asked);
  }

  private async send(request: IndexRequest, { files = [], onProgress, transfer = [] }: RequestOptions = {}): Promise<boolean> {
    const worker = (this.worker ??= this.start());
    const answer = new Promise<boolean>((resolve, reject) => this.pending.set(request.id, { resolve, reject, isCheck: request.kind === 'check', ...(onProgress ? { onProgress } : {}) }));
    worker.ref();
    const asked = async (): Promise<void> => {
      const pause = new Yielder(undefined);
      for (let at = 0; at < files.length; at += BATCH_SIZE) {
        worker.postMessage({ kind: 'files', id: request.id, files: files.slice(at, at + BATCH_SIZE) } satisfies IndexMessage);
        await pause.yieldIfDue();
      }
      if (this.worker === worker) worker.postMessage(request satisfies IndexMessage, transfer);
    };
    const [anew] = await Promise.all([answer, asked()]);
    return anew;
  }

  private start(): Worker {
    const worker = this.startThread(this.place, { name: 'session-tree catalog' });
    const failed = (error: unknown): void => {
      // Another one has its place already.
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.isChecked = false;
      for (const { reject } of this.pending.values()) reject(error);
      this.pending.clear();
    };
    worker.on('message', (answer: IndexResponse) => this.handleResponse(answer));
    worker.on('error', failed);
    worker.on('exit', (code) => failed(new Error(`The catalog's worker ended with code ${code}.`)));
    return worker;
  }

  /** Starts a thread that waits for files to read. It ends with the port that this answers, whatever happens to it. */
  private startScanThread(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const worker = this.startThread({ reader: port2 }, { name: 'session-tree scan', transferList: [port2] });
    worker.unref();
    // The writer sees its port closed then, and reads by itself.
    worker.on('error', () => undefined);
    return port1;
  }

  private startThread(workerData: WorkerData, options: WorkerOptions): Worker {
    // It lies beside whatever this is built into.
    const worker = new Worker(join(__dirname, 'catalogWorker.js'), { ...options, workerData });
    const begun = new Promise<void>((resolve) => worker.once('online', resolve).once('exit', () => resolve()));
    this.starting = Promise.all([this.starting, begun]);
    return worker;
  }

  private handleResponse(answer: IndexResponse): void {
    const waiting = this.pending.get(answer.id);
    if (!waiting) return;
    if (answer.kind === 'checked') {
      this.isChecked = true;
      // A check that opened it itself has more to tell: whether it was made anew.
      if (!waiting.isCheck) for (const isOpen of this.onChecked) isOpen();
      return;
    }
    if (answer.kind === 'progress') {
      waiting.onProgress?.(answer);
      return;
    }
    this.pending.delete(answer.id);
    if (this.pending.size === 0) this.worker?.unref();
    if (answer.kind === 'done') waiting.resolve(answer.anew);
    else waiting.reject(deserializeError(answer.error));
  }
}
