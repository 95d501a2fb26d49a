/**
 * Default number of concurrent file calls: all but one of Node's four threads for them. If a mount hangs, one thread is
 * left for everything else in this process. With two instead of three, the first rows of a new store appear a third
 * later.
 */
export const MAX_CONCURRENT = 3;

/**
 * Runs `work` for each item in order, with limited concurrency. Rejects with the first error, and starts no further
 * item after it.
 */
export async function forEachConcurrent<T>(
  items: Iterable<T>,
  work: (item: T, at: number) => Promise<void>,
  atOnce = MAX_CONCURRENT,
): Promise<void> {
  const queue = [...items].entries();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [at, item] of queue) await work(item, at);
    }),
  );
}
