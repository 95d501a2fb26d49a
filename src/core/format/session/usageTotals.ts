/** What sessions and branches cost: tokens, and dollars where the lines say them. Over heads alone. FORMAT section 5. */
import type { ModelRef } from '../entry/entry';
import type { EntryHead } from '../entry/entryHead';
import type { Session } from './session';
import { pathTo } from './treeTraversal';

export interface Totals {
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Dollars. */
  readonly cost: number;
}

export interface ModelTotals extends Totals {
  /** `null` where the lines name no model: summaries, results of tools. */
  readonly model: ModelRef | null;
}

export interface UsageTotals extends Totals {
  /** The same by model, dearest first. */
  readonly byModel: readonly ModelTotals[];
}

const COUNTED_ROLES = new Set(['assistant', 'toolResult']);
const COUNTED_TYPES = new Set(['compaction', 'branch_summary', 'usage', 'model_usage']);

/** What tells whether an entry's usage counts, and for which model. */
export interface UsageSource {
  readonly type: string;
  readonly role?: string | undefined;
  readonly model?: ModelRef | undefined;
}

/** Whether its usage is a part of what the session cost. */
export const isCounted = ({ type, role }: Omit<UsageSource, 'model'>): boolean => (type === 'message' ? COUNTED_ROLES.has(role ?? '') : COUNTED_TYPES.has(type));

/** Adds usages up, in the order in which they come. */
export class UsageAccumulator {
  private readonly total = zeroTotals();
  private readonly models = new Map<string, MutableModelTotals>();
  private last: MutableModelTotals | undefined;

  add({ type, role, model }: UsageSource, input: number, output: number, cacheRead: number, cacheWrite: number, cost: number): void {
    if (!isCounted({ type, role })) return;
    // Mostly it is the model of the entry before.
    const last = this.last;
    const ofModel = last && last.model?.modelId === model?.modelId && last.model?.provider === model?.provider ? last : (this.last = this.of(model));
    for (const sum of [this.total, ofModel]) {
      sum.input += input;
      sum.output += output;
      sum.cacheRead += cacheRead;
      sum.cacheWrite += cacheWrite;
      sum.cost += cost;
    }
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

/** The totals of some entries. */
export function totalsOf(heads: Iterable<EntryHead>): UsageTotals {
  const sum = new UsageAccumulator();
  for (const head of heads) addUsage(sum, head);
  return sum.totals();
}

export function addUsage(sum: UsageAccumulator, head: EntryHead): void {
  const { usage } = head;
  if (usage) sum.add(head, usage.input, usage.output, usage.cacheRead, usage.cacheWrite, usage.cost?.total ?? 0);
}

type MutableModelTotals = ReturnType<typeof zeroTotals> & { model: ModelRef | null };

const zeroTotals = (): { -readonly [K in keyof Totals]: Totals[K] } => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 });

/** All branches of the session. */
export function sessionUsage(session: Session): UsageTotals {
  return totalsOf(session.entries);
}

/** Everything from the root to an entry, itself included. */
export function branchUsage(session: Session, entryId: string): UsageTotals {
  return totalsOf(pathTo(session, entryId));
}

/** What this branch alone cost: the entries up to `entryId` that no other branch has. */
export function ownUsage(session: Session, entryId: string): UsageTotals {
  return totalsOf(ownEntries(session, entryId));
}

/** The end of the path to an entry, after the last fork on it. */
export function ownEntries(session: Session, entryId: string): EntryHead[] {
  const path = pathTo(session, entryId);
  const fork = path.findLastIndex((head) => head.id !== entryId && (session.children.get(head.id)?.length ?? 0) > 1);
  return path.slice(fork + 1);
}
