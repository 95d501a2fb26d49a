/** Sends requests to the thread that writes the database, and starts a second reading thread when there is much to read. */
import { MessageChannel, type MessagePort, type Worker, type WorkerOptions } from 'node:worker_threads';
import { defined } from '../../format/entry/defined';
import type { DatabaseLocation } from '../database/database';
import { shareFiles } from './fileList';
import { WorkerClient, type PendingRequest } from './workerClient';
import { deserializeError, isLargeBatch, type IndexRequest, type IndexResponse, type StaleFile, type WorkerData } from './workerProtocol';

/** The files that were read since the last report. */
export type IndexProgress = Extract<IndexResponse, { kind: 'progress' }>;

interface PendingIndexRequest extends PendingRequest {
  readonly resolve: (isRebuilt: boolean) => void;
  readonly isCheck: boolean;
  readonly onProgress?: (progress: IndexProgress) => void;
}

interface RequestOptions {
  readonly onProgress?: (progress: IndexProgress) => void;
  readonly transfer?: readonly MessagePort[];
}

/** The results are whether the database had to be rebuilt, so that everything in it must be read again. */
export class IndexWorkerClient extends WorkerClient<IndexResponse, PendingIndexRequest> {
  private readonly stops = new Set<Int32Array<SharedArrayBuffer>>();
  private starting: Promise<unknown> = Promise.resolve();
  /** True if the running thread has the database open. */
  private isChecked = false;
  private readonly onChecked = new Set<() => void>();

  constructor(location: DatabaseLocation) {
    super('session-tree catalog', location);
  }

  /**
   * Resolves when everything is stored, or after `signal` is aborted when what was read is stored.
   *
   * @param isComplete true to make everything searchable, also sessions whose words an earlier call has left
   * @param isFresh true for a file without a row
   */
  async index(
    { files, gone, isComplete }: { readonly files: readonly StaleFile[]; readonly gone: readonly string[]; readonly isComplete: boolean },
    isFresh: (file: StaleFile) => boolean,
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
    const reader = hasLargeBatch(files, isFresh) ? this.startScanThread() : undefined;
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

  /**
   * Resolves when the database is known to be as it was written; while files are read, as soon as the thread has opened it.
   *
   * @param damaged inode of the file that a reader found damaged
   */
  async check(damaged?: bigint): Promise<boolean> {
    if (this.isChecked && damaged === undefined) return false;
    this.assertOpen();
    const done = this.send({ kind: 'check', id: this.newId(), ...defined({ damaged }) });
    if (damaged !== undefined) return done;
    let isOpen = (): void => undefined;
    const opened = new Promise<boolean>((resolve) => (isOpen = () => resolve(false)));
    this.onChecked.add(isOpen);
    return Promise.race([done, opened]).finally(() => this.onChecked.delete(isOpen));
  }

  async forget(paths: readonly string[] | undefined): Promise<void> {
    this.assertOpen();
    await this.send({ kind: 'forget', id: this.newId(), ...defined({ paths }) });
  }

  /** Resolves when the threads that are being started run. */
  async whenStarted(): Promise<void> {
    await this.starting;
  }

  /** Ends the running requests as soon as what was read is stored. */
  stop(): void {
    for (const stop of this.stops) Atomics.store(stop, 0, 1);
  }

  close(): Promise<void> {
    return this.end(() => this.send({ kind: 'close', id: this.newId() }));
  }

  protected override handleResponse(response: IndexResponse): void {
    const pending = this.pending.get(response.id);
    if (!pending) return;
    if (response.kind === 'checked') {
      this.isChecked = true;
      // A check that opened the database itself responds with whether it was rebuilt.
      if (!pending.isCheck) for (const isOpen of this.onChecked) isOpen();
    } else if (response.kind === 'progress') pending.onProgress?.(response);
    else {
      this.takePending(response.id);
      if (response.kind === 'done') pending.resolve(response.anew);
      else pending.reject(deserializeError(response.error));
    }
  }

  protected override workerLost(): void {
    this.isChecked = false;
  }

  protected override startThread(workerData: WorkerData, options: WorkerOptions): Worker {
    const worker = super.startThread(workerData, options);
    const started = new Promise<void>((resolve) => worker.once('online', resolve).once('exit', () => resolve()));
    this.starting = Promise.all([this.starting, started]);
    return worker;
  }

  private send(request: IndexRequest, { onProgress, transfer = [] }: RequestOptions = {}): Promise<boolean> {
    const worker = this.runningWorker();
    const response = new Promise<boolean>((resolve, reject) =>
      this.addPending(request.id, { resolve, reject, isCheck: request.kind === 'check', ...defined({ onProgress }) }),
    );
    worker.postMessage(request, transfer);
    return response;
  }

  /** Starts a thread that waits for files to read, and ends with the returned port. */
  private startScanThread(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const worker = this.startThread({ reader: port2 }, { name: 'session-tree scan', transferList: [port2] });
    worker.unref();
    // The writing thread sees that its port is closed then, and reads by itself.
    worker.on('error', () => undefined);
    return port1;
  }
}

/** True if a second reading thread is worth its start. In a new store, few files have to be looked at. */
function hasLargeBatch(files: readonly StaleFile[], isFresh: (file: StaleFile) => boolean): boolean {
  let [count, bytes] = [0, 0];
  return files.some((file) => isFresh(file) && isLargeBatch(++count, (bytes += file.version.size)));
}
