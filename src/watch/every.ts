/**
 * Does a piece of work again and again, `pause` milliseconds after it last ended, and never twice at once.
 * Work that turns out to be slow makes the pauses longer, so that it never takes more than a twentieth of the time.
 */
export class Every {
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;

  constructor(
    private readonly pause: number,
    private readonly work: () => Promise<void>,
  ) {
    this.wait(pause);
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }

  private wait(pause: number): void {
    if (this.disposed) return;
    this.timer = setTimeout(() => void this.run(), pause);
  }

  private async run(): Promise<void> {
    const start = performance.now();
    await this.work();
    this.wait(Math.max(this.pause, (performance.now() - start) * 20));
  }
}
