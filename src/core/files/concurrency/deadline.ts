/** Number of intervals that a deadline is split into. */
const TICKS = 4;

/**
 * Resolves or rejects as `work` does, but rejects with `late()` after `milliseconds`. The work itself continues: a call
 * to a disk that hangs can't be aborted.
 */
export function withDeadline<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let ticks = 0;
    // A single timer would also run out while this process is busy or the computer sleeps.
    const timer = setInterval(() => {
      if (++ticks < TICKS) return;
      clearInterval(timer);
      reject(late());
    }, milliseconds / TICKS);
    timer.unref();
    work.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

/** Resolves when `work` is done, or after `milliseconds`. Never rejects. */
export async function settledWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, timeout]).catch(() => undefined);
  clearTimeout(timer);
}
