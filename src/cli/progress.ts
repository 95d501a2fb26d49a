/** Progress on standard error, in a terminal and only for what takes long. */

/** Milliseconds until progress is shown, and between its updates. */
const [DELAY, INTERVAL] = [300, 100];
const CLEAR = '\r\u001b[K';

export class Progress {
  private readonly started = performance.now();
  private shownAt = 0;
  private isShown = false;

  /** @param stream where it's shown */
  constructor(private readonly stream: NodeJS.WriteStream) {}

  /** To be called with the files that were read and have to be. */
  readonly update = (done: number, total: number): void => {
    const now = performance.now();
    if (!this.stream.isTTY || now - this.started < DELAY || now - this.shownAt < INTERVAL) return;
    this.shownAt = now;
    this.isShown = true;
    this.stream.write(`${CLEAR}Reading sessions: ${String(Math.floor(done))} of ${String(total)}`);
  };

  /** Removes it. To be called before anything else is written. */
  clear(): void {
    if (this.isShown) this.stream.write(CLEAR);
    this.isShown = false;
  }
}
