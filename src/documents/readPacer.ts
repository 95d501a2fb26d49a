/** Limits how often documents are read again, so that a large file that grows all the time costs little. */

/** A document may be read again after one millisecond for each of these bytes. */
const BYTES_PER_MS = 5000;

export class ReadPacer {
  /** By document, until the pause after its last read is over. */
  private readonly pauses = new Map<string, { readonly end: number; readonly timer: NodeJS.Timeout }>();
  private readonly scheduled = new Map<string, NodeJS.Timeout>();

  /** The number of documents that it holds anything about. */
  get size(): number {
    return new Set([...this.pauses.keys(), ...this.scheduled.keys()]).size;
  }

  /** Begins the pause after a read. When it ends, nothing is kept of the read: the document may never have been opened. */
  recordRead(key: string, bytes: number): void {
    clearTimeout(this.pauses.get(key)?.timer);
    const length = bytes / BYTES_PER_MS;
    const timer = setTimeout(() => this.pauses.delete(key), length);
    this.pauses.set(key, { end: performance.now() + length, timer });
  }

  /** Runs a function when the document's pause is over, at the earliest in the next turn of the event loop. Calls until then have no effect. */
  schedule(key: string, run: () => void): void {
    if (this.scheduled.has(key)) return;
    // Timers count whole milliseconds.
    const wait = Math.ceil((this.pauses.get(key)?.end ?? 0) - performance.now());
    const timer = setTimeout(
      () => {
        this.scheduled.delete(key);
        run();
      },
      Math.max(0, wait),
    );
    this.scheduled.set(key, timer);
  }

  forget(key: string): void {
    clearTimeout(this.pauses.get(key)?.timer);
    clearTimeout(this.scheduled.get(key));
    this.pauses.delete(key);
    this.scheduled.delete(key);
  }

  dispose(): void {
    for (const key of [...this.pauses.keys(), ...this.scheduled.keys()]) this.forget(key);
  }
}
