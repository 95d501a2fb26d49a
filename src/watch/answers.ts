/**
 * Asking the disk about places that may never answer: a network mount whose server is gone keeps every call waiting,
 * and Node has few threads for such calls. Nobody waits long, and no place is asked again before it has answered.
 */

/** Milliseconds that whoever asks waits, and after which a place is said not to answer. */
export interface Patience {
  readonly wait: number;
  readonly silent: number;
}

export const PATIENCE: Patience = { wait: 500, silent: 4000 };

interface Asked {
  readonly work: Promise<unknown>;
  /** As `performance.now`. */
  readonly since: number;
}

export class Answers {
  private readonly asked = new Map<string, Asked>();
  private readonly timers = new Set<NodeJS.Timeout>();

  /** `onNews`: a place has answered after all, or is silent for so long that it is to be said. */
  constructor(
    private readonly onNews: () => void,
    private readonly patience: Patience = PATIENCE,
  ) {}

  /**
   * What `ask` says of a path; of one path the same must be asked always.
   *
   * @throws what `ask` throws; an error with the code `ETIMEDOUT` while the path does not answer.
   */
  async of<T>(path: string, ask: (path: string) => Promise<T>): Promise<T> {
    const known = this.asked.get(path);
    const { work, since } = known ?? this.begin(path, ask);
    const left = since + this.patience.wait - performance.now();
    return (left > 0 ? Promise.race([work, this.after(left).then(() => Promise.reject(silence(path)))]) : Promise.reject(silence(path))) as Promise<T>;
  }

  /** Whether a path was asked and has yet to answer. */
  isWaiting(path: string): boolean {
    return this.asked.has(path);
  }

  /** Whether it has not answered for so long that a person wants to know. */
  isSilent(path: string): boolean {
    const asked = this.asked.get(path);
    return asked !== undefined && performance.now() - asked.since >= this.patience.silent;
  }

  dispose(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private begin(path: string, ask: (path: string) => Promise<unknown>): Asked {
    const asked = { work: ask(path), since: performance.now() };
    this.asked.set(path, asked);
    const isLate = (): boolean => performance.now() - asked.since >= this.patience.wait;
    const done = (): void => {
      this.asked.delete(path);
      if (isLate()) this.onNews();
    };
    asked.work.then(done, done);
    void this.after(this.patience.silent).then(() => this.asked.get(path) === asked && this.onNews());
    return asked;
  }

  private after(milliseconds: number): Promise<void> {
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

function silence(path: string): Error {
  return Object.assign(new Error(`does not answer: ${path}`), { code: 'ETIMEDOUT' });
}
