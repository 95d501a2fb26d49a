/** Sums of what sessions cost. Pure. */
import { sortSteps } from '../../files/concurrency/sortSteps';
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import { addTotals, numbersOf, totalsFrom, type Totals } from '../../format/session/costs/usageTotals';
import { DAY_MS, utcDayOf, type DayOf } from './localDays';
import { causesIn } from './usageCauses';

/**
 * Grouping of usage: by day, month, project folder, `provider/model`, session or program; by session with all sessions that it and
 * its subagents started; or by cause (`UsageCause`), where an answer counts for each of its causes, and one without any for none.
 */
export const USAGE_KEYS = ['day', 'month', 'project', 'model', 'session', 'family', 'program', 'cause'] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];

/** The usage that counts; without any, all. */
export interface UsageFilter {
  /** Milliseconds since 1970. The days of both are included. */
  readonly since?: number;
  readonly until?: number;
  /** The time zone of days, such as `Europe/Berlin`. By default UTC. */
  readonly timeZone?: string;
  /** A project's folder, as the header names it. */
  readonly project?: string;
  /** `provider/model`. */
  readonly model?: string;
  /** The sessions that count, by path. */
  readonly paths?: ReadonlySet<string>;
  /**
   * By default each answer counts once, for the session that had it first. False to count each session whole, with what it shares
   * with forks and copies. Families are always whole, and have each answer once.
   */
  readonly ownForks?: boolean;
}

/** The facts of a session that its usage is grouped by. */
interface UsageOwner {
  /** The project's folder. */
  readonly cwd: string;
  readonly dialect: string;
}

/** The length of `2026-01`. Years beyond 9999 have a sign and six digits. */
export const monthOf = (day: string): string => day.slice(0, day.lastIndexOf('-'));

/** Totals of one group. FORMAT section 5. */
export interface UsageSum extends Totals {
  readonly key: string;
}

/** The cost of one session with one model on one day. */
export interface SessionUsage extends Totals {
  readonly path: string;
  readonly day: string;
  readonly model: string;
  /** The bits of `causeBit`. */
  readonly causes: number;
}

/** @param ownerOf returns the facts of the session at a path @param dayOf returns the day that `since` and `until` are on */
export function* usageBy(
  by: UsageKey,
  facts: readonly SessionUsage[],
  ownerOf: (path: string) => UsageOwner,
  filter: UsageFilter = {},
  dayOf: DayOf = utcDayOf,
): Steps<UsageSum[]> {
  const isCounted = usageTest(filter, ownerOf, dayOf);
  const sums = new Map<string, Float64Array>();
  for (const [index, fact] of facts.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    if (!isCounted(fact)) continue;
    for (const key of keysOf(by, fact, ownerOf)) {
      const sum = sums.get(key);
      if (sum) addTotals(sum, fact);
      else sums.set(key, Float64Array.from(numbersOf(fact)));
    }
  }
  const found = Array.from(sums, ([key, sum]): UsageSum => ({ key, ...totalsFrom(sum) }));
  return yield* sortSteps(found, (a, b) =>
    by === 'day' || by === 'month' ? (a.key < b.key ? -1 : 1) : b.cost - a.cost || b.output - a.output || (a.key < b.key ? -1 : 1),
  );
}

function keysOf(by: UsageKey, { path, day, model, causes }: SessionUsage, ownerOf: (path: string) => UsageOwner): readonly string[] {
  switch (by) {
    case 'day':
      return [day];
    case 'month':
      return [monthOf(day)];
    case 'project':
      return [ownerOf(path).cwd];
    case 'model':
      return [model];
    case 'session':
    case 'family':
      return [path];
    case 'program':
      return [ownerOf(path).dialect];
    case 'cause':
      return causesIn(causes);
  }
}

function usageTest(
  { since, until, project, model, paths }: UsageFilter,
  ownerOf: (path: string) => UsageOwner,
  dayOf: DayOf,
): (fact: SessionUsage) => boolean {
  // Days are compared as times: years beyond 9999 have a sign.
  const from = since === undefined ? undefined : dayOf(since) * DAY_MS;
  const to = until === undefined ? undefined : dayOf(until) * DAY_MS;
  return ({ path, day, model: used }) =>
    (from === undefined || Date.parse(day) >= from) &&
    (to === undefined || Date.parse(day) <= to) &&
    (model === undefined || used === model) &&
    (paths === undefined || paths.has(path)) &&
    (project === undefined || ownerOf(path).cwd === project);
}
