/** Watches threads that read files: notices a thread that makes no progress with a file, and a thread that breaks down with it. */
import type { Worker } from 'node:worker_threads';
import type { Pulse } from './pulse';

/**
 * Milliseconds. A thread is stuck if it makes no step in as many intervals in a row as its limit has, and the process was busy for
 * that long, too: a thread that gets no processor isn't stuck. One that waits for the disk isn't busy, and has {@link PATIENCE}.
 */
export interface WatchLimits {
  readonly interval: number;
  readonly stuck: number;
}

export const WATCH_LIMITS: WatchLimits = { interval: 1000, stuck: 10_000 };

/** How many times its limit a thread may make no step, however little the process was busy. */
const PATIENCE = 6;

interface WatchedThread {
  readonly pulse: Pulse;
  steps: number;
  /** The time of the process at the last step. */
  busy: number;
  /** The intervals without a step. A computer that slept had none. */
  still: number;
}

export class ThreadWatch {
  private readonly threads = new Map<Worker, WatchedThread>();
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param onStuck called with the path of the file that a thread makes no progress with
   * @param busyTime returns the milliseconds for which processors worked for this process
   */
  constructor(
    private readonly limits: WatchLimits,
    private readonly onStuck: (path: string) => void,
    private readonly busyTime = processorTime,
  ) {}

  /** Watches a thread until it ends. */
  add(worker: Worker, pulse: Pulse): void {
    this.threads.set(worker, { pulse, steps: pulse.steps, busy: this.busyTime(), still: 0 });
    this.timer ??= setInterval(() => this.look(), this.limits.interval).unref();
    worker.once('exit', () => this.remove(worker));
  }

  /** Returns the file that a thread was reading when it broke down. */
  fileOf(worker: Worker): string | undefined {
    return this.threads.get(worker)?.pulse.path;
  }

  /** Ends all threads. */
  endAll(): void {
    for (const worker of [...this.threads.keys()]) {
      this.remove(worker);
      void worker.terminate();
    }
  }

  private remove(worker: Worker): void {
    this.threads.delete(worker);
    if (this.threads.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    const { interval, stuck } = this.limits;
    const busy = this.busyTime();
    for (const thread of this.threads.values()) {
      const { path, steps } = thread.pulse;
      thread.still = path !== undefined && steps === thread.steps ? thread.still + 1 : 0;
      thread.steps = steps;
      if (thread.still === 0) thread.busy = busy;
      const still = thread.still * interval;
      const isStuck = still >= PATIENCE * stuck || (still >= stuck && busy - thread.busy >= stuck);
      if (path === undefined || !isStuck) continue;
      this.onStuck(path);
      return;
    }
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
