/** What sessions cost, summed up by something. Pure. */
import type { Totals } from '../format/usage';

export type UsageKey = 'day' | 'project' | 'model' | 'session';

export interface UsageSum extends Totals {
  readonly key: string;
}

export function usageBy(by: UsageKey, facts: readonly UsageSum[]): UsageSum[] {
  const sums = new Map<string, { -readonly [K in keyof UsageSum]: UsageSum[K] }>();
  for (const { key, input, output, cacheRead, cacheWrite, cost } of facts) {
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
  return [...sums.values()].sort((a, b) => (by === 'day' ? (a.key < b.key ? -1 : 1) : b.cost - a.cost || b.output - a.output || (a.key < b.key ? -1 : 1)));
}
