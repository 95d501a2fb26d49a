/**
 * File calls in flight at once, in a row of many: half of the threads that Node has for them, so that a mount that hangs
 * leaves the others to everyone else in this process.
 */
export const AT_ONCE = 2;

/** Does something with each item, a few at a time and in order. Rejects with the first error, and begins nothing after it. */
export async function eachOf<T>(items: Iterable<T>, work: (item: T, at: number) => Promise<void>): Promise<void> {
  const queue = [...items].entries();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const [at, item] of queue) await work(item, at);
  }));
}
