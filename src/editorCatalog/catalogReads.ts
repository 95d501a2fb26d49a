import { settledWithin } from '../core/index';

/** The reads of the catalog that are under way: they can be stopped, and waited for. */
export class CatalogReads {
  private readonly active = new Set<AbortController>();
  private last: Promise<unknown> = Promise.resolve();

  get isReading(): boolean {
    return this.active.size > 0;
  }

  /** @param read never rejects */
  async run<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.active.add(controller);
    const work = read(controller.signal).finally(() => this.active.delete(controller));
    const before = this.last;
    this.last = work.then(() => before);
    return work;
  }

  stop(): void {
    for (const controller of this.active) controller.abort();
  }

  /** Resolves when all reads that have begun are done, or after `limit` milliseconds. Never rejects. */
  async settled(limit: number): Promise<void> {
    await settledWithin(this.last, limit);
  }
}
