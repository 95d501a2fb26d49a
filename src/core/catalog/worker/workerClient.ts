/** The calling thread's end of a worker thread: starts it when it is needed, and matches its responses with the requests. */
import { join } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { WorkerData } from './protocol/workerProtocol';

/** Node's default takes up to 48 MB in each thread for objects that were just created; this costs no measurable time. */
const YOUNG_GENERATION_MB = 6;
/** A thread that needs more for objects breaks down: for what is kept of entries, and a gigabyte for the line that it reads. */
const OLD_GENERATION_MB = 1536;

export interface PendingRequest {
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that breaks down rejects its pending requests, and the next request starts another thread. An idle thread
 * doesn't keep the process running.
 */
export abstract class WorkerClient<Response extends { readonly id: number }, Pending extends PendingRequest> {
  protected worker: Worker | undefined;
  protected readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private isClosed = false;

  constructor(private readonly name: string) {}

  /** Starts the thread that serves the requests. */
  protected abstract startServing(options: WorkerOptions): Worker;

  protected abstract handleResponse(response: Response): void;

  /** Called when the thread has broken down, or is replaced. */
  protected workerLost(): void {
    // Most clients have nothing to forget.
  }

  /** Called when the thread has broken down, after `workerLost`. */
  protected workerFailed(error: unknown, _worker: Worker): void {
    this.rejectPending(error);
  }

  protected get closed(): boolean {
    return this.isClosed;
  }

  protected newId(): number {
    return ++this.lastId;
  }

  /** @throws when the client is closed. */
  protected assertOpen(): void {
    if (this.isClosed) throw new Error('The catalog is closed.');
  }

  /** The running thread; starts one if there is none. */
  protected runningWorker(): Worker {
    return (this.worker ??= this.start());
  }

  protected addPending(id: number, pending: Pending): void {
    this.pending.set(id, pending);
    this.worker?.ref();
  }

  protected takePending(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (this.pending.size === 0) this.worker?.unref();
    return pending;
  }

  /** Ends the running thread, even during a request. Pending requests stay pending. */
  protected dropWorker(): Worker | undefined {
    const { worker } = this;
    this.worker = undefined;
    this.workerLost();
    void worker?.terminate();
    return worker;
  }

  /** Refuses new requests, lets the thread finish the pending ones, and ends it. */
  protected async end(sendClose: () => Promise<unknown>): Promise<void> {
    const isRunning = this.worker !== undefined && !this.isClosed;
    const closing = isRunning ? sendClose() : undefined;
    this.isClosed = true;
    await closing?.catch(() => undefined);
    const worker = this.dropWorker();
    this.rejectPending(new Error('The catalog is closed.'));
    await worker?.terminate();
  }

  /** All threads run the same file, which decides by its `workerData` what it does. */
  protected startThread(workerData: WorkerData, options: WorkerOptions): Worker {
    // It is next to the bundle that this is built into.
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, maxOldGenerationSizeMb: OLD_GENERATION_MB };
    return new Worker(join(__dirname, 'catalogWorker.js'), { ...options, workerData, resourceLimits });
  }

  private start(): Worker {
    const worker = this.startServing({ name: this.name });
    worker.unref();
    const failed = (error: unknown): void => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.workerLost();
      this.workerFailed(error, worker);
    };
    worker.on('message', (response: Response) => {
      if (this.worker === worker) this.handleResponse(response);
    });
    worker.on('error', failed);
    worker.on('exit', (code) => failed(new Error(`The thread “${this.name}” ended with code ${code}.`)));
    return worker;
  }

  protected rejectPending(error: unknown): void {
    for (const id of [...this.pending.keys()]) this.takePending(id)?.reject(error);
  }
}
