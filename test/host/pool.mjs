/**
 * Limits how much runs at the same time. What waits begins in the order in which it came, urgent work before all other.
 * @param {number} size
 * @returns {<T>(work: () => Promise<T>, options?: { isUrgent?: boolean }) => Promise<T>}
 */
export function pool(size) {
  let free = size;
  const urgent = [];
  const others = [];
  return async (work, { isUrgent = false } = {}) => {
    if (free > 0) free--;
    else await new Promise((resolve) => (isUrgent ? urgent : others).push(resolve));
    try {
      return await work();
    } finally {
      const next = urgent.shift() ?? others.shift();
      if (next) next();
      else free++;
    }
  };
}
