/** Sums of a range of days beside the sums of the range before, by several keys at once. Pure. */
import { sortSteps } from '../../files/concurrency/sortSteps';
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import { addTotals, TOTALS, totalsFrom, type Totals } from '../../format/session/usageTotals';
import { monthOf, type SessionUsage } from './usageBy';
import { causesIn } from './usageCauses';
import { isInRange, type ComparedRange } from './usageRange';

/** Usage with all that it's grouped by. */
export interface UsageFact extends SessionUsage {
  /** The project's folder. */
  readonly project: string;
  readonly program: string;
  /** The path of the session that started it: its own, or for a subagent that of the first session above. */
  readonly family: string;
}

export const REPORT_KEYS = ['day', 'month', 'project', 'model', 'program', 'family', 'path', 'cause'] as const;
export type ReportKey = (typeof REPORT_KEYS)[number];

/** Usage of one group only, such as of one project. */
export interface ReportFilter {
  readonly by: ReportKey;
  readonly key: string;
}

/** The totals of a group in the range, and in the range before. */
export interface ReportRow {
  readonly key: string;
  readonly now: Totals;
  readonly before: Totals;
}

interface Sums {
  readonly now: Float64Array;
  readonly before: Float64Array;
}

const newSums = (): Sums => ({ now: new Float64Array(TOTALS.length), before: new Float64Array(TOTALS.length) });
const rowOf = (key: string, { now, before }: Sums): ReportRow => ({ key, now: totalsFrom(now), before: totalsFrom(before) });

export interface UsageReport {
  readonly total: ReportRow;
  /** The rows of each key that was asked for, in its order. Days and months begin with the newest, the others with the highest cost. */
  readonly rows: readonly (readonly ReportRow[])[];
}

/** Adds up the facts that pass all filters. */
export function* usageReport(
  facts: readonly UsageFact[],
  keys: readonly ReportKey[],
  { range, before }: ComparedRange,
  filters: readonly ReportFilter[] = [],
): Steps<UsageReport> {
  const total = newSums();
  const groups = keys.map((by) => ({ by, sums: new Map<string, Sums>() }));
  for (const [index, fact] of facts.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const side = isInRange(fact.day, range) ? 'now' : before && isInRange(fact.day, before) ? 'before' : undefined;
    if (side === undefined || !filters.every((filter) => passes(fact, filter))) continue;
    addTotals(total[side], fact);
    for (const { by, sums } of groups) {
      // Nothing of an earlier day or month is compared: it has another name.
      if (side === 'before' && (by === 'day' || by === 'month')) continue;
      for (const key of keysOf(fact, by)) {
        let sum = sums.get(key);
        if (!sum) sums.set(key, (sum = newSums()));
        addTotals(sum[side], fact);
      }
    }
  }
  const rows: ReportRow[][] = [];
  for (const { by, sums } of groups)
    rows.push(
      yield* sortSteps(
        Array.from(sums, ([key, sum]) => rowOf(key, sum)),
        by === 'day' || by === 'month' ? newestFirst : highestFirst,
      ),
    );
  return { total: rowOf('', total), rows };
}

const keysOf = (fact: UsageFact, by: ReportKey): readonly string[] =>
  by === 'cause' ? causesIn(fact.causes) : [by === 'month' ? monthOf(fact.day) : fact[by]];

const passes = (fact: UsageFact, { by, key }: ReportFilter): boolean => keysOf(fact, by).includes(key);

const newestFirst = (a: ReportRow, b: ReportRow): number => (a.key > b.key ? -1 : 1);
const highestFirst = (a: ReportRow, b: ReportRow): number =>
  b.now.cost - a.now.cost || b.now.output - a.now.output || b.before.cost - a.before.cost || (a.key < b.key ? -1 : 1);
