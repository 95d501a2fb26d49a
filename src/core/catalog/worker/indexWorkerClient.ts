/**
 * Sends requests to the thread that writes the database, and starts a second reading thread when there is much to read.
 * A file that either thread makes no progress with, or breaks down with, is left out: the threads are started again, and
 * the requests get their responses without it.
 */
import { MessageChannel, type MessagePort, type Worker, type WorkerOptions } from 'node:worker_threads';
import { defined } from '../../format/values/defined';
import type { DatabaseLocation } from '../database/database';
import type { InventoryFile } from '../rows/inventoryFile';
import { createPulseMemory, Pulse } from '../../files/concurrency/pulse';
import { fileCount, shareFiles } from './protocol/fileList';
import { breakdownError, deserializeError, serializeError, stuckError, type SerializedError } from '../../files/concurrency/threadErrors';
import { ThreadWatch, WATCH_LIMITS } from '../../files/concurrency/threadWatch';
import { WorkerClient, type PendingRequest } from './workerClient';
import { isLargeBatch, type IndexRequest, type IndexResponse, type IndexWork } from './protocol/workerProtocol';

/** The files that were read since the last report. */
export type IndexProgress = Extract<IndexResponse, { kind: 'progress' }>;

interface PendingIndexRequest extends PendingRequest {
  /** The time when it was sent, as of `performance.now`. */
  readonly began: number;
  readonly request: IndexRequest;
  readonly resolve: (isRebuilt: boolean) => void;
  readonly onProgress?: (progress: IndexProgress) => void;
}

interface RequestOptions {
  readonly onProgress?: (progress: IndexProgress) => void;
  readonly transfer?: readonly MessagePort[];
}

/** Milliseconds after which a request counts as long work, and files from which on it does so at once. */
const LONG_WORK = 50;
const LONG_WORK_FILES = 16;

/** The results are whether the database had to be rebuilt, so that everything in it must be read again. */
export class IndexWorkerClient extends WorkerClient<IndexResponse, PendingIndexRequest> {
  private readonly stops = new Set<Int32Array<SharedArrayBuffer>>();
  private starting: Promise<unknown> = Promise.resolve();
  private isOnline = false;

  /** The files that are left out of the running requests. */
  private readonly leftOut = new Map<string, SerializedError>();
  private readonly watch: ThreadWatch;

  /** @param onLeftOut called with the reason why a file is left out */
  constructor(
    private readonly location: DatabaseLocation,
    private readonly onLeftOut: (path: string, error: Error) => void = () => undefined,
    limits = WATCH_LIMITS,
  ) {
    super('session-tree catalog');
    this.watch = new ThreadWatch(limits, (path) => this.restartWithout(path, stuckError(limits.stuck)));
  }

  /**
   * Resolves when everything is stored, or after `signal` is aborted when all files read by then are stored.
   *
   */
  async index(
    { files, gone, isComplete }: IndexWork,
    signal: AbortSignal | undefined,
    onProgress: (progress: IndexProgress) => void,
  ): Promise<boolean> {
    this.assertOpen();
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const onAbort = (): void => void Atomics.store(stop, 0, 1);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.stops.add(stop);
    this.runningWorker();
    // Started now, both threads are ready at the same time.
    const reader = hasLargeBatch(files) ? this.startScanThread() : undefined;
    try {
      const shared = await shareFiles(files);
      this.assertOpen();
      return await this.send(
        { kind: 'index', id: this.newId(), files: shared, gone, isComplete, stop, ...defined({ reader }) },
        { onProgress, transfer: reader ? [reader] : [] },
      );
    } finally {
      // If the writing thread broke down, this ends the reading thread, which would wait for it.
      onAbort();
      reader?.close();
      this.stops.delete(stop);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Has the database checked. @param damaged inode of the file that a reader found damaged */
  async check(damaged?: bigint): Promise<boolean> {
    this.assertOpen();
    return this.send({ kind: 'check', id: this.newId(), ...defined({ damaged }) });
  }

  async forget(paths: readonly string[] | undefined): Promise<void> {
    this.assertOpen();
    await this.send({ kind: 'forget', id: this.newId(), ...defined({ paths }) });
  }

  /** True if a request for a few files would be served at once: the thread runs, and no request before it takes long. */
  get isReady(): boolean {
    const since = performance.now() - LONG_WORK;
    return this.isOnline && [...this.pending.values()].every(({ request, began }) => isShort(request) && began >= since);
  }

  /** Resolves when the threads that are being started run. */
  async whenStarted(): Promise<void> {
    await this.starting;
  }

  /** Ends the running requests as soon as the files read so far are stored. */
  stop(): void {
    for (const stop of this.stops) Atomics.store(stop, 0, 1);
  }

  close(): Promise<void> {
    return this.end(() => this.send({ kind: 'close', id: this.newId() }));
  }

  protected override handleResponse(response: IndexResponse): void {
    const pending = this.pending.get(response.id);
    if (!pending) return;
    if (response.kind === 'progress') pending.onProgress?.(response);
    else {
      this.takePending(response.id);
      if (this.pending.size === 0) this.leftOut.clear();
      if (response.kind === 'done') pending.resolve(response.wasRebuilt);
      else pending.reject(deserializeError(response.error));
    }
  }

  /** A thread that breaks down while it reads a file gets another chance without the file. */
  protected override workerFailed(error: unknown, worker: Worker): void {
    const path = this.watch.fileOf(worker);
    if (path === undefined) super.workerFailed(error, worker);
    else this.restartWithout(path, breakdownError(error));
  }

  protected override startServing(options: WorkerOptions): Worker {
    return this.startWatched(this.location, options);
  }

  private startWatched(data: DatabaseLocation | { readonly reader: MessagePort }, options: WorkerOptions): Worker {
    const pulse = createPulseMemory();
    const worker = this.startThread({ ...data, pulse }, options);
    this.watch.add(worker, new Pulse(pulse));
    worker.once('online', () => (this.isOnline = true));
    const started = new Promise<void>((resolve) => worker.once('online', resolve).once('exit', () => resolve()));
    this.starting = Promise.all([this.starting, started]);
    return worker;
  }

  /** Ends all threads, and has others serve the pending requests. */
  private restartWithout(path: string, error: Error): void {
    if (this.closed) return;
    const isRepeated = this.leftOut.has(path);
    this.leftOut.set(path, serializeError(error));
    this.dropWorker();
    this.watch.endAll();
    if (isRepeated) {
      this.rejectPending(error);
      return;
    }
    this.onLeftOut(path, error);
    for (const { request } of this.pending.values()) this.runningWorker().postMessage(this.withoutLeftOut(request));
    if (this.pending.size > 0) this.worker?.ref();
  }

  /** A request to another thread: without the port of a thread that was ended. */
  private withoutLeftOut(request: IndexRequest): IndexRequest {
    if (request.kind !== 'index') return request;
    const { reader: _, ...others } = request;
    return { ...others, leftOut: this.leftOut };
  }

  private send(request: IndexRequest, { onProgress, transfer = [] }: RequestOptions = {}): Promise<boolean> {
    const worker = this.runningWorker();
    const response = new Promise<boolean>((resolve, reject) =>
      this.addPending(request.id, { request, began: performance.now(), resolve, reject, ...defined({ onProgress }) }),
    );
    worker.postMessage(request, transfer);
    return response;
  }

  /** Starts a thread that waits for files to read, and ends with the returned port. */
  private startScanThread(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const worker = this.startWatched({ reader: port2 }, { name: 'session-tree scan', transferList: [port2] });
    worker.unref();
    worker.on('error', (error) => {
      const path = this.watch.fileOf(worker);
      // Otherwise the writing thread sees that its port is closed, and reads by itself.
      if (path !== undefined) this.restartWithout(path, breakdownError(error));
    });
    return port1;
  }
}

const isShort = (request: IndexRequest): boolean => request.kind === 'index' && fileCount(request.files) <= LONG_WORK_FILES;

/** True if a second reading thread is worth its start. In a new store, few files have to be looked at. */
function hasLargeBatch(files: readonly InventoryFile[]): boolean {
  let [count, bytes] = [0, 0];
  return files.some((file) => isLargeBatch(++count, (bytes += file.version.size)));
}
