/** Usage of sessions and branches: tokens, and dollars if the lines state them. Works on heads alone. FORMAT section 5. */
import { billedModel, placesOf, tokensWith, type ModelRef, type TokenName, type Usage } from '../../entry/usage';
import type { EntryHead } from '../../entry/entryHead';
import type { Session } from '../session';
import type { HeadSource } from '../../columns/headSource';
import { headsOf } from '../../linking/headsById';
import { finishSteps, STEP_LENGTH, type Steps } from '../steps';
import { pathPlaces } from '../treeTraversal';

/** The names of the sums in totals, in the order in which they are kept as numbers. An optional one is left out if it is 0. */
const SUMMED_TOKENS = tokensWith({ isSummed: true });
export const TOTALS = [...SUMMED_TOKENS, 'cost'] as const;
const PLACES = placesOf(TOTALS);
const COST_PLACE = PLACES.cost;
const OPTIONAL_TOTALS: readonly (keyof Totals)[] = tokensWith({ isOptional: true, isSummed: true });

type NeededTotals = { readonly [Name in TokenName<{ isOptional: false; isSummed: true }>]: number };
type OptionalTotals = { readonly [Name in TokenName<{ isOptional: true; isSummed: true }>]?: number };

/** Totals of tokens, and of costs in dollars. FORMAT section 5. */
export interface Totals extends NeededTotals, OptionalTotals {
  /** Dollars. */
  readonly cost: number;
}

/** Makes totals of their numbers, which begin at `at`. */
export function totalsFrom(numbers: ArrayLike<number>, at = 0): Totals {
  const sum = (name: keyof Totals): number => numbers[at + PLACES[name]]!;
  const totals: { -readonly [Name in keyof Totals]: Totals[Name] } = {
    input: sum('input'),
    output: sum('output'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
    cost: sum('cost'),
  };
  for (const name of OPTIONAL_TOTALS) if (sum(name) !== 0) totals[name] = sum(name);
  return totals;
}

/** The opposite of `totalsFrom`. */
export const numbersOf = (totals: Partial<Totals>): number[] => TOTALS.map((name) => totals[name] ?? 0);

/** Adds totals to numbers, from `at` on. */
export function addTotals(numbers: Float64Array, totals: Partial<Totals>, at = 0): void {
  let place = at;
  for (const name of TOTALS) numbers[place++]! += totals[name] ?? 0;
}

/** Returns the sum of some totals. */
export function sumOfTotals(all: readonly Totals[]): Totals {
  const sum = new Float64Array(TOTALS.length);
  for (const totals of all) addTotals(sum, totals);
  return totalsFrom(sum);
}

/** Totals of one model. */
export interface ModelTotals extends Totals {
  /** `null` for lines that name no model, such as summaries and tool results. */
  readonly model: ModelRef | null;
}

/** Totals, also by model. */
export interface UsageTotals extends Totals {
  /** The totals of each model, the most expensive first. */
  readonly byModel: readonly ModelTotals[];
}

const COUNTED_ROLES = new Set(['assistant', 'toolResult']);
const COUNTED_TYPES = new Set(['compaction', 'branch_summary', 'usage', 'model_usage']);

/** The fields that decide whether an entry's usage counts, and for which model. */
interface UsageSource {
  readonly type: string;
  readonly role?: string | undefined;
  readonly model?: ModelRef | undefined;
  readonly responseModel?: string | undefined;
}

/** True if an entry's usage is a part of the session's cost. */
export const isCounted = ({ type, role }: Pick<UsageSource, 'type' | 'role'>): boolean =>
  type === 'message' ? COUNTED_ROLES.has(role ?? '') : COUNTED_TYPES.has(type);

interface ModelSum {
  readonly model: ModelRef | null;
  readonly numbers: Float64Array;
}

/** Adds up usages in the order of the calls. */
export class UsageAccumulator {
  private readonly sum = new Float64Array(TOTALS.length);
  private readonly models = new Map<string, ModelSum>();
  private last: ModelSum | undefined;

  addUsage({ type, role, model: asked, responseModel }: UsageSource, usage: Usage): void {
    if (!isCounted({ type, role })) return;
    const model = asked && responseModel !== undefined ? billedModel({ model: asked, responseModel }) : asked;
    // The model is mostly the previous entry's model.
    const last = this.last;
    const { numbers } =
      last && last.model?.modelId === model?.modelId && last.model?.provider === model?.provider ? last : (this.last = this.of(model));
    for (const sum of [this.sum, numbers]) {
      addTokens(sum, usage);
      sum[COST_PLACE]! += usage.cost?.total ?? 0;
    }
  }

  /** Returns the totals of all models together. */
  total(): Totals {
    return totalsFrom(this.sum);
  }

  totals(): UsageTotals {
    const byModel = Array.from(this.models.values(), ({ model, numbers }) => ({ model, ...totalsFrom(numbers) }));
    return { ...this.total(), byModel: byModel.sort((a, b) => b.cost - a.cost || b.output - a.output) };
  }

  private of(model: ModelRef | undefined): ModelSum {
    const key = model ? JSON.stringify([model.provider, model.modelId]) : '';
    let ofModel = this.models.get(key);
    if (!ofModel) this.models.set(key, (ofModel = { model: model ?? null, numbers: new Float64Array(TOTALS.length) }));
    return ofModel;
  }
}

function addTokens(sum: Float64Array, usage: Partial<Usage>): void {
  let place = 0;
  for (const name of SUMMED_TOKENS) sum[place++]! += usage[name] ?? 0;
}

/** Returns the totals of some entries. FORMAT section 5. */
export function totalsOf(heads: Iterable<EntryHead>): UsageTotals {
  const sum = new UsageAccumulator();
  for (const head of heads) if (head.usage) sum.addUsage(head, head.usage);
  return sum.totals();
}

/** Returns the totals of the entries at some places, in steps. Makes no head. */
export function* totalsSteps(heads: HeadSource, places: Iterable<number>): Steps<UsageTotals> {
  const sum = new UsageAccumulator();
  let count = 0;
  for (const place of places) {
    if (++count % STEP_LENGTH === 0) yield;
    const usage = heads.usageAt(place);
    if (usage) sum.addUsage(heads.traitsAt(place), usage);
  }
  return sum.totals();
}

const totalsAt = (heads: HeadSource, places: Iterable<number>): UsageTotals => finishSteps(totalsSteps(heads, places));

/** Returns the totals of all branches of the session. FORMAT section 5. */
export function sessionUsage(session: Session): UsageTotals {
  const heads = headsOf(session);
  return totalsAt(heads, Array(heads.length).keys());
}

/** Returns the totals of the path from the root to an entry, both included. FORMAT section 5. */
export function branchUsage(session: Session, entryId: string): UsageTotals {
  const heads = headsOf(session);
  return totalsAt(heads, pathPlaces(heads, entryId));
}

/** Returns the totals of the entries up to `entryId` that no other branch has. FORMAT section 5. */
export function ownUsage(session: Session, entryId: string): UsageTotals {
  return totalsAt(headsOf(session), ownPlaces(session, entryId));
}

/** Returns the places of the end of the path to an entry, after the last fork on it; empty if the entry doesn't exist. Makes no head. */
function ownPlaces(session: Session, entryId: string): number[] {
  const heads = headsOf(session);
  const path = pathPlaces(heads, entryId);
  const fork = path.findLastIndex((place) => heads.idAt(place) !== entryId && (session.children.get(heads.idAt(place))?.length ?? 0) > 1);
  return path.slice(fork + 1);
}
