/**
 * Reads databases on a thread of its own, so that nothing waits for SQLite but the request: a disk can keep it busy for ever. A
 * database that reading makes no progress with is refused.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createPulseMemory, Pulse, type PulseMemory } from '../../concurrency/pulse';
import { breakdownError, deserializeError, stuckError, type SerializedError } from '../../concurrency/threadErrors';
import { ThreadWatch, WATCH_LIMITS } from '../../concurrency/threadWatch';
import { fileError } from '../../io/fileErrors';
import type { DatabaseReader } from './databaseReader';

/** The thread's `workerData`. */
export interface DatabaseThreadData {
  readonly pulse: PulseMemory;
}

type Method = keyof DatabaseReader;

export interface ThreadRequest {
  readonly id: number;
  readonly method: Method;
  readonly params: readonly [database: string, ...unknown[]];
}

export type ThreadResponse = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly error: SerializedError };

interface Pending {
  readonly request: ThreadRequest;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Refusal {
  readonly error: Error;
  readonly state: string;
}

/** Node's default takes up to 48 MB for objects that were just created. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 6 };
/** A thread that hangs in SQLite can't be ended, and each one keeps a processor busy. */
const MAX_HANGING = 3;

export class DatabaseThread {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, Pending>();
  /** The databases that threads hang in. */
  private readonly refused = new Map<string, Refusal>();
  private readonly hanging = new Set<Worker>();
  private lastId = 0;
  private readonly watch: ThreadWatch;

  /** @param file the module of the thread */
  constructor(
    private readonly limits = WATCH_LIMITS,
    private readonly file = join(__dirname, 'databaseWorker.js'),
  ) {
    this.watch = new ThreadWatch(limits, (database) => void this.leaveOut(database));
  }

  /**
   * Has a method of `DatabaseReader` called.
   *
   * @throws {SessionError} as the method; `invalid` if reading makes no progress, until the database changes, {@link retry} is called or the system
   * ends the call
   */
  async request<M extends Method>(method: M, ...params: Parameters<DatabaseReader[M]>): Promise<Awaited<ReturnType<DatabaseReader[M]>>> {
    const [database] = params;
    const refusal = this.refused.get(database);
    if (refusal && (this.hanging.size >= MAX_HANGING || (await stateOf(database)) === refusal.state)) throw refusal.error;
    // The thread's response to a request is the result of its method.
    return this.send({ id: ++this.lastId, method, params }) as Promise<Awaited<ReturnType<DatabaseReader[M]>>>;
  }

  /** Has a database that was refused read by the next request, unless as many threads hang as may. */
  retry(database: string): void {
    if (this.hanging.size < MAX_HANGING) this.refused.delete(database);
  }

  /** The number of threads that hang in SQLite. */
  get hangingThreads(): number {
    return this.hanging.size;
  }

  /** Has an opened session forgotten. */
  close(database: string, session: number): void {
    this.worker?.postMessage({ id: ++this.lastId, method: 'close', params: [database, session] } satisfies ThreadRequest);
  }

  /** Ends the thread, which closes its connections. The next request starts another one. */
  async end(): Promise<void> {
    await this.worker?.terminate();
  }

  private send(request: ThreadRequest): Promise<unknown> {
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      this.pending.set(request.id, { request, resolve, reject });
      worker.ref();
      worker.postMessage(request);
    });
  }

  private take(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (this.pending.size === 0) this.worker?.unref();
    return pending;
  }

  private start(): Worker {
    const pulse = createPulseMemory();
    const worker = new Worker(this.file, {
      name: 'session-tree databases',
      workerData: { pulse } satisfies DatabaseThreadData,
      resourceLimits: RESOURCE_LIMITS,
    });
    worker.unref();
    this.watch.add(worker, new Pulse(pulse));
    const failed = (error: unknown): void => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      for (const id of [...this.pending.keys()]) this.take(id)?.reject(breakdownError(error));
    };
    worker.on('message', (response: ThreadResponse) => {
      const pending = this.worker === worker ? this.take(response.id) : undefined;
      if ('error' in response) pending?.reject(deserializeError(response.error));
      else pending?.resolve(response.result);
    });
    worker.on('error', failed);
    worker.on('exit', (code) => failed(new Error(`The thread of databases ended with code ${code}.`)));
    return worker;
  }

  /** Refuses a database, and has another thread serve the requests to the others. */
  private async leaveOut(database: string): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    this.worker = undefined;
    this.watch.endAll();
    worker.unref();
    this.hanging.add(worker);
    const error = stuckError(this.limits.stuck);
    const refusal = { error, state: '' };
    this.refused.set(database, refusal);
    // A call that the system ends after all ends the thread too, and the database can be read again.
    worker.once('exit', () => {
      this.hanging.delete(worker);
      if (this.refused.get(database)?.error === error) this.refused.delete(database);
    });
    const waiting = [...this.pending.values()];
    this.pending.clear();
    for (const { request, resolve, reject } of waiting)
      if (request.params[0] === database) reject(error);
      else this.send(request).then(resolve, reject);
    refusal.state = await stateOf(database);
  }
}

/** Identifies the state of a database's file; of one that is missing, too. */
const stateOf = async (database: string): Promise<string> =>
  stat(database, { bigint: true }).then(
    ({ dev, ino, size, mtimeNs }) => `${dev}:${ino} ${size} ${mtimeNs}`,
    (error: unknown) => String(fileError(error, database)),
  );

/** The databases of this process. */
export const databases = new DatabaseThread();
