/** Sums of what sessions cost. Pure. */
import type { Totals } from '../../format/session/usageTotals';

/** Grouping of usage: by UTC day, project folder, `provider/model`, session or program. */
export const USAGE_KEYS = ['day', 'project', 'model', 'session', 'program'] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];

/** The usage that counts; without any, all. */
export interface UsageFilter {
  /** Milliseconds since 1970. The UTC days of both are included. */
  readonly since?: number;
  readonly until?: number;
  /** A project's folder, as the header names it. */
  readonly project?: string;
  /** `provider/model`. */
  readonly model?: string;
  /** True to count what a fork has in common with its parent only once. Sessions without a known parent count whole. */
  readonly ownForks?: boolean;
}

/** The facts of a session that its usage is grouped by. */
export interface UsageOwner {
  /** The project's folder. */
  readonly cwd: string;
  readonly dialect: string;
}

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

/** @param ownerOf returns the facts of the session at a path */
export function usageBy(
  by: UsageKey,
  facts: readonly SessionUsage[],
  ownerOf: (path: string) => UsageOwner,
  filter: UsageFilter = {},
): UsageSum[] {
  const isCounted = usageTest(filter, ownerOf);
  const sums = new Map<string, { -readonly [K in keyof UsageSum]: UsageSum[K] }>();
  for (const fact of facts) {
    if (!isCounted(fact)) continue;
    const { input, output, cacheRead, cacheWrite, cost } = fact;
    const key = keyOf(by, fact, ownerOf);
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

function keyOf(by: UsageKey, { path, day, model }: SessionUsage, ownerOf: (path: string) => UsageOwner): string {
  switch (by) {
    case 'day':
      return day;
    case 'project':
      return ownerOf(path).cwd;
    case 'model':
      return model;
    case 'session':
      return path;
    case 'program':
      return ownerOf(path).dialect;
  }
}

function usageTest({ since, until, project, model }: UsageFilter, ownerOf: (path: string) => UsageOwner): (fact: SessionUsage) => boolean {
  // Days are compared as times: years beyond 9999 have a sign.
  const from = since === undefined ? undefined : Math.floor(since / DAY_MS) * DAY_MS;
  return ({ path, day, model: used }) =>
    (from === undefined || Date.parse(day) >= from) &&
    (until === undefined || Date.parse(day) <= until) &&
    (model === undefined || used === model) &&
    (project === undefined || ownerOf(path).cwd === project);
}

const DAY_MS = 24 * 60 * 60 * 1000;
