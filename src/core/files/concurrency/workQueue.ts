/** Runs one piece of work at a time, in the order in which they were added. */
export class WorkQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs work after all that was added before, whether that succeeded or not, and returns its result. */
  add<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
