/**
 * File calls in flight at once, in a row of many: all but one of the four threads that Node has for them. A mount that
 * hangs leaves that one to everyone else in this process. Two instead of three make the first rows of a new store come
 * a third later.
 */
export const MAX_CONCURRENT = 3;

/** Does something with each item, a few at a time and in order. Rejects with the first error, and begins nothing after it. */
export async function forEachConcurrent<T>(items: Iterable<T>, work: (item: T, at: number) => Promise<void>, atOnce = MAX_CONCURRENT): Promise<void> {
  const queue = [...items].entries();
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (const [at, item] of queue) await work(item, at);
  }));
}
