/** Sums of what sessions cost. Pure. */
import type { Totals } from '../../format/session/usageTotals';

/** Grouping of usage: by UTC day, project folder, model or session. */
export type UsageKey = 'day' | 'project' | 'model' | 'session';

/** Totals of one group. FORMAT section 5. */
export interface UsageSum extends Totals {
  readonly key: string;
}

/** The cost of one session with one model on one day. */
export interface SessionUsage extends Totals {
  readonly path: string;
  readonly day: string;
  readonly model: string;
}

/** @param projectOf returns the project's folder of a session's path */
export function usageBy(by: UsageKey, facts: readonly SessionUsage[], projectOf: (path: string) => string): UsageSum[] {
  const sums = new Map<string, { -readonly [K in keyof UsageSum]: UsageSum[K] }>();
  for (const { path, day, model, input, output, cacheRead, cacheWrite, cost } of facts) {
    const key = by === 'day' ? day : by === 'model' ? model : by === 'session' ? path : projectOf(path);
    const sum = sums.get(key);
    if (!sum) {
      sums.set(key, { key, input, output, cacheRead, cacheWrite, cost });
      continue;
    }
    sum.input += input;
    sum.output += output;
    sum.cacheRead += cacheRead;
    sum.cacheWrite += cacheWrite;
    sum.cost += cost;
  }
  return [...sums.values()].sort((a, b) =>
    by === 'day' ? (a.key < b.key ? -1 : 1) : b.cost - a.cost || b.output - a.output || (a.key < b.key ? -1 : 1),
  );
}
