/**
 * Asking the disk about places that may never answer: a network mount whose server is gone keeps every call waiting,
 * and Node has few threads for such calls. Nobody waits long, and no place is asked again before it has answered.
 */

/** Milliseconds that whoever asks waits, and after which a place is said not to answer. */
export interface ProbeTimeouts {
  readonly wait: number;
  readonly silent: number;
}

export const PROBE_TIMEOUTS: ProbeTimeouts = { wait: 500, silent: 4000 };

interface PendingProbe {
  readonly work: Promise<unknown>;
  /** As `performance.now`. */
  readonly since: number;
  /** Somebody went without its answer. */
  hasTimedOut: boolean;
  isSilent: boolean;
}

export class TimeoutProbe {
  private readonly pending = new Map<string, PendingProbe>();
  private readonly timers = new Set<NodeJS.Timeout>();

  /** `onNews`: a place has answered after all, or is silent for so long that it is to be said. */
  constructor(
    private readonly onStateChange: () => void,
    private readonly timeouts: ProbeTimeouts = PROBE_TIMEOUTS,
  ) {}

  /**
   * What `ask` says of a path; of one path the same must be asked always.
   *
   * @throws what `ask` throws; an error with the code `ETIMEDOUT` while the path does not answer.
   */
  async run<T>(path: string, ask: (path: string) => Promise<T>): Promise<T> {
    const asked = this.pending.get(path) ?? this.start(path, ask);
    const patience = this.delay(Math.max(0, asked.since + this.timeouts.wait - performance.now())).then(() => {
      asked.hasTimedOut = true;
      throw timeoutError(path);
    });
    return Promise.race([asked.work as Promise<T>, patience]);
  }

  /** Whether a path was asked and has yet to answer. */
  isPending(path: string): boolean {
    return this.pending.has(path);
  }

  /** Whether it has not answered for so long that a person wants to know. */
  isSilent(path: string): boolean {
    return this.pending.get(path)?.isSilent === true;
  }

  dispose(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private start(path: string, ask: (path: string) => Promise<unknown>): PendingProbe {
    const asked: PendingProbe = { work: ask(path), since: performance.now(), hasTimedOut: false, isSilent: false };
    this.pending.set(path, asked);
    const done = (): void => {
      this.pending.delete(path);
      if (asked.hasTimedOut) this.onStateChange();
    };
    asked.work.then(done, done);
    void this.delay(this.timeouts.silent).then(() => {
      asked.isSilent = true;
      if (this.pending.get(path) === asked) this.onStateChange();
    });
    return asked;
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
