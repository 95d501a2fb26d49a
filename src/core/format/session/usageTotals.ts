/** Usage of sessions and branches: tokens, and dollars if the lines state them. Works on heads alone. FORMAT section 5. */
import type { ModelRef, Usage } from '../entry/usage';
import { billedModel } from '../entry/usage';
import type { EntryHead } from '../entry/entryHead';
import type { Session } from './session';
import type { HeadSource } from '../columns/headSource';
import { headsOf } from '../linking/headsById';
import { finishSteps, STEP_LENGTH, type Steps } from './steps';
import { pathPlaces } from './treeTraversal';

/** Totals of tokens, and of costs in dollars. FORMAT section 5. */
export interface Totals {
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Dollars. */
  readonly cost: number;
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
export interface UsageSource {
  readonly type: string;
  readonly role?: string | undefined;
  readonly model?: ModelRef | undefined;
  readonly responseModel?: string | undefined;
}

/** True if an entry's usage is a part of the session's cost. */
export const isCounted = ({ type, role }: Pick<UsageSource, 'type' | 'role'>): boolean =>
  type === 'message' ? COUNTED_ROLES.has(role ?? '') : COUNTED_TYPES.has(type);

/** Adds up usages in the order of the calls. */
export class UsageAccumulator {
  private readonly total = zeroTotals();
  private readonly models = new Map<string, MutableModelTotals>();
  private last: MutableModelTotals | undefined;

  add(
    { type, role, model: asked, responseModel }: UsageSource,
    input: number,
    output: number,
    cacheRead: number,
    cacheWrite: number,
    cost: number,
  ): void {
    if (!isCounted({ type, role })) return;
    const model = asked && responseModel !== undefined ? billedModel({ model: asked, responseModel }) : asked;
    // The model is mostly the previous entry's model.
    const last = this.last;
    const ofModel =
      last && last.model?.modelId === model?.modelId && last.model?.provider === model?.provider ? last : (this.last = this.of(model));
    for (const sum of [this.total, ofModel]) {
      sum.input += input;
      sum.output += output;
      sum.cacheRead += cacheRead;
      sum.cacheWrite += cacheWrite;
      sum.cost += cost;
    }
  }

  addUsage(source: UsageSource, { input, output, cacheRead, cacheWrite, cost }: Usage): void {
    this.add(source, input, output, cacheRead, cacheWrite, cost?.total ?? 0);
  }

  totals(): UsageTotals {
    return { ...this.total, byModel: [...this.models.values()].sort((a, b) => b.cost - a.cost || b.output - a.output) };
  }

  private of(model: ModelRef | undefined): MutableModelTotals {
    const key = model ? JSON.stringify([model.provider, model.modelId]) : '';
    let ofModel = this.models.get(key);
    if (!ofModel) this.models.set(key, (ofModel = { model: model ?? null, ...zeroTotals() }));
    return ofModel;
  }
}

/** Returns the totals of some entries. FORMAT section 5. */
export function totalsOf(heads: Iterable<EntryHead>): UsageTotals {
  const sum = new UsageAccumulator();
  for (const head of heads) if (head.usage) sum.addUsage(head, head.usage);
  return sum.totals();
}

type MutableModelTotals = ReturnType<typeof zeroTotals> & { model: ModelRef | null };

const zeroTotals = (): { -readonly [K in keyof Totals]: Totals[K] } => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 });

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
