/** Sums of a range of days beside the sums of the range before, by several keys at once. Pure. */
import { sortSteps } from '../../files/concurrency/sortSteps';
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import { TOTALS, totalsFrom, type Totals } from '../../format/session/usageTotals';
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

/** The rows of one key. */
export interface ReportRows {
  /** Days and months begin with the newest, the others with the highest cost. */
  readonly rows: readonly ReportRow[];
  /** The number of groups, of which there may be more than rows. */
  readonly count: number;
}

export interface UsageReport {
  readonly total: ReportRow;
  /** By key, in the order in which they were asked for. */
  readonly groups: readonly ReportRows[];
}

/** The places in a group's sums from which those of the range, and of the range before, are. */
const [NOW, BEFORE] = [0, TOTALS.length];
const COST = TOTALS.indexOf('cost');

/** The sums of all groups of a key, one after the other in one list: an object for each of thousands takes several times as long. */
class GroupSums {
  private readonly places = new Map<string, number>();
  private sums = new Float64Array(TOTALS.length * 2 * 64);
  /** Most facts are of the group of the previous one. */
  private last: { readonly key: string; readonly at: number } | undefined;

  constructor(readonly by: ReportKey) {}

  /** @param numbers the totals to add */
  add(key: string, side: number, numbers: Float64Array): void {
    if (this.last?.key !== key) this.last = { key, at: this.places.get(key) ?? this.start(key) };
    const from = this.last.at + side;
    for (let place = 0; place < TOTALS.length; place++) this.sums[from + place]! += numbers[place]!;
  }

  /** Begins a group, and returns the place of its sums. */
  start(key: string): number {
    const at = this.places.size * TOTALS.length * 2;
    this.places.set(key, at);
    if (at === this.sums.length) {
      const grown = new Float64Array(at * 2);
      grown.set(this.sums);
      this.sums = grown;
    }
    return at;
  }

  row(key: string, at = this.places.get(key) ?? 0): ReportRow {
    return { key, now: totalsFrom(this.sums, at + NOW), before: totalsFrom(this.sums, at + BEFORE) };
  }

  /** Returns the rows with the highest costs, no more than `limit`; of days and months all. */
  *rows(limit: number): Steps<ReportRows> {
    const isTime = this.by === 'day' || this.by === 'month';
    const count = this.places.size;
    const lowest = isTime || count <= limit ? 0 : this.costs().sort()[count - limit]!;
    const rows: ReportRow[] = [];
    let steps = 0;
    for (const [key, at] of this.places) {
      if (steps++ % STEP_LENGTH === 0) yield;
      if (this.sums[at + COST]! >= lowest) rows.push(this.row(key, at));
    }
    const sorted = yield* sortSteps(rows, isTime ? newestFirst : highestFirst);
    return { rows: isTime ? sorted : sorted.slice(0, limit), count };
  }

  private costs(): Float64Array {
    return Float64Array.from(this.places.values(), (at) => this.sums[at + COST]!);
  }
}

/** Adds up the facts that pass all filters. @param limit the most rows of a key other than days and months */
export function* usageReport(
  facts: readonly UsageFact[],
  keys: readonly ReportKey[],
  { range, before }: ComparedRange,
  { filters = [], limit = Infinity }: { readonly filters?: readonly ReportFilter[]; readonly limit?: number } = {},
): Steps<UsageReport> {
  const total = new GroupSums('path');
  total.start('');
  const sums = keys.map((by) => new GroupSums(by));
  const numbers = new Float64Array(TOTALS.length);
  let steps = 0;
  for (const fact of facts) {
    if (steps++ % STEP_LENGTH === 0) yield;
    const side = isInRange(fact.day, range) ? NOW : before && isInRange(fact.day, before) ? BEFORE : undefined;
    if (side === undefined || !filters.every((filter) => passes(fact, filter))) continue;
    for (const [place, name] of TOTALS.entries()) numbers[place] = fact[name] ?? 0;
    total.add('', side, numbers);
    for (const group of sums) {
      // Nothing of an earlier day or month is compared: it has another name.
      if (side === BEFORE && (group.by === 'day' || group.by === 'month')) continue;
      if (group.by === 'cause') for (const cause of causesIn(fact.causes)) group.add(cause, side, numbers);
      else group.add(keyOf(fact, group.by), side, numbers);
    }
  }
  const groups: ReportRows[] = [];
  for (const group of sums) groups.push(yield* group.rows(limit));
  return { total: total.row(''), groups };
}

const keyOf = (fact: UsageFact, by: Exclude<ReportKey, 'cause'>): string => (by === 'month' ? monthOf(fact.day) : fact[by]);

const passes = (fact: UsageFact, { by, key }: ReportFilter): boolean =>
  by === 'cause' ? causesIn(fact.causes).some((cause) => cause === key) : keyOf(fact, by) === key;

const newestFirst = (a: ReportRow, b: ReportRow): number => (a.key > b.key ? -1 : 1);
const highestFirst = (a: ReportRow, b: ReportRow): number =>
  b.now.cost - a.now.cost || b.now.output - a.now.output || b.before.cost - a.before.cost || (a.key < b.key ? -1 : 1);
