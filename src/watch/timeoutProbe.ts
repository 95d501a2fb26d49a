/**
 * Disk calls for paths that may never answer: a network mount whose server is gone blocks every call, and Node has few
 * threads for them. Callers wait for a limited time, and no path gets another call before the last one has returned.
 */

/** Milliseconds. `wait`: for a caller. `silent`: after which a path counts as silent. */
interface ProbeTimeouts {
  readonly wait: number;
  readonly silent: number;
}

const PROBE_TIMEOUTS: ProbeTimeouts = { wait: 500, silent: 4000 };

interface PendingProbe {
  readonly work: Promise<unknown>;
  /** Time as in `performance.now`. */
  readonly since: number;
  /** True if a caller has stopped waiting. */
  hasTimedOut: boolean;
  isSilent: boolean;
}

export class TimeoutProbe {
  private readonly pending = new Map<string, PendingProbe>();
  private readonly timers = new Set<NodeJS.Timeout>();

  /** @param onStateChange called when a path answers after a caller has stopped waiting, and when it becomes silent */
  constructor(
    private readonly onStateChange: () => void,
    private readonly timeouts: ProbeTimeouts = PROBE_TIMEOUTS,
  ) {}

  /**
   * Resolves to the result of `access`. The same path must always come with an equivalent function, as a running call is shared.
   *
   * @throws the errors of `access`; an error with the code `ETIMEDOUT` if the path doesn't answer in time.
   */
  async run<T>(path: string, access: (path: string) => Promise<T>): Promise<T> {
    const probe = this.pending.get(path) ?? this.start(path, access);
    const timeout = this.delay(Math.max(0, probe.since + this.timeouts.wait - performance.now())).then(() => {
      probe.hasTimedOut = true;
      throw timeoutError(path);
    });
    // Callers give an equivalent function for the same path, as the docstring requires.
    return Promise.race([probe.work as Promise<T>, timeout]);
  }

  /** Returns true if a call for the path is running. */
  isPending(path: string): boolean {
    return this.pending.has(path);
  }

  /** Returns true if the path hasn't answered for so long that the user should know. */
  isSilent(path: string): boolean {
    return this.pending.get(path)?.isSilent === true;
  }

  dispose(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private start(path: string, access: (path: string) => Promise<unknown>): PendingProbe {
    const probe: PendingProbe = { work: access(path), since: performance.now(), hasTimedOut: false, isSilent: false };
    this.pending.set(path, probe);
    const done = (): void => {
      this.pending.delete(path);
      if (probe.hasTimedOut) this.onStateChange();
    };
    probe.work.then(done, done);
    void this.delay(this.timeouts.silent).then(() => {
      probe.isSilent = true;
      if (this.pending.get(path) === probe) this.onStateChange();
    });
    return probe;
  }

  private delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        resolve();
      }, milliseconds);
      timer.unref();
      this.timers.add(timer);
    });
  }
}

function timeoutError(path: string): Error {
  return Object.assign(new Error(`does not answer: ${path}`), { code: 'ETIMEDOUT' });
}
