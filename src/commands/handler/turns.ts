/** Runs work in turn, such as a change and the undo that a person asks for while it's being made. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /**
   * Does the work after all that was given before, even if some of that failed. Settles as the work does.
   *
   * @param signal ends the waiting for the turn; rejects with its reason, and the work isn't begun
   */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.last;
    const turn = untilAborted(before, signal).then(() => work());
    // The caller has the error.
    this.last = turn.catch(() => undefined).then(() => before);
    return turn;
  }
}

/** Settles as the work does, or rejects with the signal's reason as soon as that is aborted; the work goes on. */
export async function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  const aborted = new Promise<never>((_, reject) => {
    // Only this extension aborts its signals, with errors.
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([work, aborted]);
}
