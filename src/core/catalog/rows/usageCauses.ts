/** Causes of costs: the circumstances of an answer that made it cost more than it had to. Pure. FORMAT section 5. */

/**
 * The causes, by the bits of a number from the lowest. An answer may have several of them, or none.
 *
 * - `failed`: it ended with an error, or was interrupted.
 * - `retry`: it repeats an answer that ended with an error.
 * - `abandoned`: it's on a branch that was left.
 * - `cacheMiss`: it read less than half of what the answer before it had in the cache.
 * - `compaction`: it's the summary of a compaction or a branch.
 * - `subagent`: it belongs to a subagent.
 */
export const USAGE_CAUSES = ['failed', 'retry', 'abandoned', 'cacheMiss', 'compaction', 'subagent'] as const;
export type UsageCause = (typeof USAGE_CAUSES)[number];

/** The number above those of all combinations of causes. */
export const CAUSES_END = 2 ** USAGE_CAUSES.length;

/** Returns the bit of a cause. */
export const causeBit = (cause: UsageCause): number => 1 << USAGE_CAUSES.indexOf(cause);

/** Returns the causes in a number of bits. */
export const causesIn = (bits: number): UsageCause[] => USAGE_CAUSES.filter((cause) => (bits & causeBit(cause)) !== 0);
