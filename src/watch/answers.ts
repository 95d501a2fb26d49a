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
  /** Somebody went without its answer. */
  isLate: boolean;
  isSilent: boolean;
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
    const asked = this.asked.get(path) ?? this.begin(path, ask);
    const patience = this.after(Math.max(0, asked.since + this.patience.wait - performance.now())).then(() => {
      asked.isLate = true;
      throw silence(path);
    });
    return Promise.race([asked.work as Promise<T>, patience]);
  }

  /** Whether a path was asked and has yet to answer. */
  isWaiting(path: string): boolean {
    return this.asked.has(path);
  }

  /** Whether it has not answered for so long that a person wants to know. */
  isSilent(path: string): boolean {
    return this.asked.get(path)?.isSilent === true;
  }

  dispose(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private begin(path: string, ask: (path: string) => Promise<unknown>): Asked {
    const asked: Asked = { work: ask(path), since: performance.now(), isLate: false, isSilent: false };
    this.asked.set(path, asked);
    const done = (): void => {
      this.asked.delete(path);
      if (asked.isLate) this.onNews();
    };
    asked.work.then(done, done);
    void this.after(this.patience.silent).then(() => {
      asked.isSilent = true;
      if (this.asked.get(path) === asked) this.onNews();
    });
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
