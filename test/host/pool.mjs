/**
 * Limits how much runs at the same time. What waits begins in the order in which it came.
 * @param {number} size
 * @returns {<T>(work: () => Promise<T>) => Promise<T>}
 */
export function pool(size) {
  let free = size;
  const waiting = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
