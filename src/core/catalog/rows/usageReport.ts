/** Sums of a range of days beside the sums of the range before, by several keys at once. Pure. */
import { sortSteps } from '../../files/concurrency/sortSteps';
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import { addTotals, TOTALS, totalsFrom, type Totals } from '../../format/session/costs/usageTotals';
import { monthOf, type SessionUsage } from './usageBy';
import { causesIn, USAGE_CAUSES } from './usageCauses';
import { isInRange, type ComparedRange } from './usageRange';

/** Usage with all that it's grouped by. */
export interface UsageFact extends SessionUsage {
  /** The project's folder; for a worktree of Git that of its repository. */
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

const SIZE = TOTALS.length;
/** The places in a group's sums from which those of the range, and of the range before, are. */
const [NOW, BEFORE] = [0, SIZE];
const COST = TOTALS.indexOf('cost');

/** The groups of all facts by a key. */
interface FactGroups {
  readonly by: ReportKey;
  readonly keys: readonly string[];
  /** By fact the index of its group's key; by cause the bits of all its causes. */
  readonly places: Int32Array;
}

/** Kept with the facts, because finding the groups and reading the totals takes several times as long as adding up. */
const KNOWN_GROUPS = new WeakMap<readonly UsageFact[], Map<ReportKey, FactGroups>>();
const KNOWN_TOTALS = new WeakMap<readonly UsageFact[], Float64Array>();

/** Returns the totals of all facts, one after the other. */
function* totalsIn(facts: readonly UsageFact[]): Steps<Float64Array> {
  let numbers = KNOWN_TOTALS.get(facts);
  if (numbers) return numbers;
  numbers = new Float64Array(facts.length * SIZE);
  for (const [index, fact] of facts.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    addTotals(numbers, fact, index * SIZE);
  }
  KNOWN_TOTALS.set(facts, numbers);
  return numbers;
}

function* groupsOf(facts: readonly UsageFact[], by: ReportKey): Steps<FactGroups> {
  let known = KNOWN_GROUPS.get(facts);
  if (!known) KNOWN_GROUPS.set(facts, (known = new Map<ReportKey, FactGroups>()));
  const found = known.get(by);
  if (found) return found;
  const keys = new Map<string, number>();
  const places = new Int32Array(facts.length);
  for (const [index, fact] of facts.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    if (by === 'cause') {
      places[index] = fact.causes;
      continue;
    }
    const key = keyOf(fact, by);
    const place = keys.get(key) ?? keys.size;
    if (place === keys.size) keys.set(key, place);
    places[index] = place;
  }
  const groups = { by, keys: by === 'cause' ? USAGE_CAUSES : [...keys.keys()], places };
  known.set(by, groups);
  return groups;
}

/** The sums of all groups of a key, one after the other in one list: an object for each of thousands takes several times as long. */
class GroupSums {
  private readonly sums: Float64Array;
  /** By group 1 if a fact was added. */
  private readonly isUsed: Uint8Array;

  constructor(private readonly groups: FactGroups) {
    this.sums = new Float64Array(groups.keys.length * SIZE * 2);
    this.isUsed = new Uint8Array(groups.keys.length);
  }

  /** @param index of the fact @param numbers the totals of all facts */
  add(index: number, side: number, numbers: Float64Array): void {
    const { by, places } = this.groups;
    // Nothing of an earlier day or month is compared: it has another name.
    if (side === BEFORE && isTime(by)) return;
    const place = places[index]!;
    if (by !== 'cause') this.addTo(place, side, numbers, index);
    else for (let cause = 0; place >> cause !== 0; cause++) if ((place >> cause) % 2 === 1) this.addTo(cause, side, numbers, index);
  }

  /** Returns the rows with the highest costs, no more than `limit`; of days and months all. */
  *rows(limit: number): Steps<ReportRows> {
    const { by, keys } = this.groups;
    const used = this.isUsed.reduce((count, is) => count + is, 0);
    const lowest = isTime(by) || used <= limit ? 0 : this.costs().sort()[keys.length - limit]!;
    const rows: ReportRow[] = [];
    for (const [group, key] of keys.entries()) {
      if (group % STEP_LENGTH === 0) yield;
      const at = group * SIZE * 2;
      if (this.isUsed[group] === 1 && this.sums[at + COST]! >= lowest) rows.push(rowOf(key, this.sums, at));
    }
    const sorted = yield* sortSteps(rows, isTime(by) ? newestFirst : highestFirst);
    return { rows: isTime(by) ? sorted : sorted.slice(0, limit), count: used };
  }

  private addTo(group: number, side: number, numbers: Float64Array, index: number): void {
    this.isUsed[group] = 1;
    addNumbers(this.sums, group * SIZE * 2 + side, numbers, index);
  }

  /** Groups without facts cost nothing, so that they don't move the highest costs. */
  private costs(): Float64Array {
    return new Float64Array(this.isUsed.length).map((_, group) => this.sums[group * SIZE * 2 + COST]!);
  }
}

const isTime = (by: ReportKey): boolean => by === 'day' || by === 'month';

function addNumbers(sums: Float64Array, from: number, numbers: Float64Array, index: number): void {
  for (let place = 0; place < SIZE; place++) sums[from + place]! += numbers[index * SIZE + place]!;
}

const rowOf = (key: string, sums: Float64Array, at: number): ReportRow => ({
  key,
  now: totalsFrom(sums, at + NOW),
  before: totalsFrom(sums, at + BEFORE),
});

/** Adds up the facts that pass all filters. The list of facts must not change between calls. @param limit the most rows of a key other than days and months */
export function* usageReport(
  facts: readonly UsageFact[],
  keys: readonly ReportKey[],
  { range, before }: ComparedRange,
  { filters = [], limit = Infinity }: { readonly filters?: readonly ReportFilter[]; readonly limit?: number } = {},
): Steps<UsageReport> {
  const total = new Float64Array(SIZE * 2);
  const sums: GroupSums[] = [];
  for (const by of keys) sums.push(new GroupSums(yield* groupsOf(facts, by)));
  const numbers = yield* totalsIn(facts);
  for (const [index, fact] of facts.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const side = isInRange(fact.day, range) ? NOW : before && isInRange(fact.day, before) ? BEFORE : undefined;
    if (side === undefined || !filters.every((filter) => passes(fact, filter))) continue;
    addNumbers(total, side, numbers, index);
    for (const group of sums) group.add(index, side, numbers);
  }
  const groups: ReportRows[] = [];
  for (const group of sums) groups.push(yield* group.rows(limit));
  return { total: rowOf('', total, 0), groups };
}

const keyOf = (fact: UsageFact, by: Exclude<ReportKey, 'cause'>): string => (by === 'month' ? monthOf(fact.day) : fact[by]);

const passes = (fact: UsageFact, { by, key }: ReportFilter): boolean =>
  by === 'cause' ? causesIn(fact.causes).some((cause) => cause === key) : keyOf(fact, by) === key;

const newestFirst = (a: ReportRow, b: ReportRow): number => (a.key > b.key ? -1 : 1);
const highestFirst = (a: ReportRow, b: ReportRow): number =>
  b.now.cost - a.now.cost || b.now.output - a.now.output || b.before.cost - a.before.cost || (a.key < b.key ? -1 : 1);
