/** Inspects the running processes on a separate thread, with thousands of synchronous calls, any of which may hang. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { withDeadline } from '../concurrency/deadline';
import type { ProcessSnapshot, ProcessInspector } from './inspectProcesses';
import type { ProcessResponse, ProcessRequest } from './processWorker';

/** Milliseconds until a response is given up. `lsof` and `ps` have 3 seconds each. */
const DEADLINE = 10_000;

/** The result where processes can't be listed. Then locks and growth decide. */
const UNKNOWN: ProcessSnapshot = { open: new Map(), agents: undefined };

/**
 * Inspects the running processes on a separate thread, because that takes thousands of synchronous calls, any of which
 * may hang. Pass `inspect` as {@link PresenceOptions.processes}.
 */
export class ProcessThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, (found: ProcessSnapshot) => void>();
  private ids = 0;
  /** True while a request is overdue. Until its response arrives, no further request is sent. */
  private isStuck = false;
  private isDisposed = false;

  /**
   * @param script path of the built `processWorker`; by default in the folder of the built module.
   * @param deadline milliseconds until a response is given up.
   */
  constructor(
    private readonly script = join(__dirname, 'processWorker.js'),
    private readonly deadline = DEADLINE,
  ) {}

  /**
   * Works like `inspectProcesses` for this system. The thread starts with the first request, and again if it ended.
   * Never rejects.
   */
  readonly inspect: ProcessInspector = (files, _system, leases = []) => {
    if (this.isStuck || this.isDisposed) return Promise.resolve(UNKNOWN);
    const id = ++this.ids;
    const answer = new Promise<ProcessSnapshot>((resolve) => this.waiting.set(id, resolve));
    const worker = (this.worker ??= this.start());
    worker.postMessage({ id, files, leases } satisfies ProcessRequest);
    worker.ref();
    const late = (): Error => {
      this.isStuck = true;
      return new Error('no answer in time');
    };
    return withDeadline(answer, this.deadline, late).catch(() => UNKNOWN);
  };

  /** Ends the thread. Later inspections find nothing. */
  dispose(): void {
    this.isDisposed = true;
    void this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.script, { name: 'session-tree processes' });
    worker.on('message', ({ id, ...found }: ProcessResponse) => {
      this.isStuck = false;
      this.waiting.get(id)?.(found);
      this.waiting.delete(id);
      if (this.waiting.size === 0) worker.unref();
    });
    // An `exit` event follows each error.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.worker = undefined;
      this.isStuck = false;
      for (const answer of this.waiting.values()) answer(UNKNOWN);
      this.waiting.clear();
    });
    return worker;
  }
}
